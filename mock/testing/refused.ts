/**
 * Requests that should be refused, made from the contract. Each is the example of an operation with
 * one mistake, for each kind of mistake. The service may accept some of them; users of this list
 * leave those out.
 */
import { isObject, pointerToken } from '../../spec/base/json.ts';
import { contract, type OperationId } from '../../spec/contract.ts';
import { exampleRequests } from '../control/example-requests.ts';
import { patched } from '../control/json-patch.ts';
import type { CorpusEntry, CorpusRequest } from './corpus-entry.ts';

const credentials = [
  ...['admin', 'member', 'scoped', 'oauth', 'memberOauth', 'embed', 'adminEmbed', 'expired'],
  ...['scim', 'expiredOauth', 'expiredScim'],
];
const authorizations = ['Bearer', 'Basic dTpw', 'Bearer sk-T0pSecret', 'Bearer other-admin'];
const texts = ['', '{', '[]', 'null', '{"a":'.repeat(200), '{"__proto__":1}', '"text"'];

export const refused: readonly CorpusEntry[] = [...make()];

function* make(): Generator<CorpusEntry> {
  for (const { id, method, path, body } of exampleRequests) {
    const as = contract.operations.get(id)?.requires.surface === 'scim' ? 'scim' : 'admin';
    const send: CorpusRequest = { method, path, body, as };
    let made = 0;
    const entry = (what: string, more: Partial<CorpusRequest>): CorpusEntry => {
      made += 1;
      return { name: `${id} ${made}: ${what}`, send: { ...send, ...more } };
    };
    yield entry('no credential', { as: null });
    for (const name of credentials) yield entry(`as ${name}`, { as: name });
    for (const text of authorizations) yield entry(text, { authorization: text });
    yield entry('Api-Key', { authorization: `Api-Key w-${as}` });
    yield entry('two credentials', { authorization: `Bearer w-${as}, Bearer w-member` });
    yield entry('plain', { plain: true });
    for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']) {
      if (other !== method) yield entry(other, { method: other });
    }
    for (const line of pathsLike(path)) yield entry(line, { path: line });
    for (const query of queriesFor(id)) yield entry(query, { path: `${path}?${query}` });
    if (body === undefined) continue;
    yield entry('too large', { tooLarge: true });
    yield entry('text/plain', { headers: { 'content-type': 'text/plain' } });
    yield entry('gzip', { headers: { 'content-encoding': 'gzip' } });
    for (const text of texts) yield entry(`body ${text.slice(0, 20)}`, { text });
    for (const example of contract.operations.get(id)?.body?.examples ?? []) {
      for (const [what, other] of bodiesLike(example)) yield entry(what, { body: other });
    }
    yield entry('bad body as member', { as: 'member', body: { ...(body as object), name: 7 } });
    yield entry('bad path and body', { path: path.replace('s/', '/'), body: {} });
  }
}

/**
 * The path with one mistake: a segment that is misspelt, missing, doubled or of another object, or a slash at
 * the end.
 */
function* pathsLike(path: string): Generator<string> {
  const segments = path.split('/').slice(1);
  const line = (parts: readonly string[]) => `/${parts.join('/')}`;
  for (const [index, segment] of segments.entries()) {
    yield line(segments.with(index, `${segment.slice(0, -1)}x`));
    yield line(segments.toSpliced(index, 1));
    yield line(segments.toSpliced(index, 0, segment));
    if (/\d|sync-/.test(segment)) {
      for (const other of ['999999', '0', 'zzz', '-1', '2'])
        yield line(segments.with(index, other));
    }
  }
  yield `${path}/`;
  yield `/v1${path}`;
}

/** Each parameter of the query with invalid values, and an unknown parameter. */
function* queriesFor(id: OperationId): Generator<string> {
  for (const { in: place, name } of contract.operations.get(id)?.parameters ?? []) {
    if (place !== 'query') continue;
    for (const value of ['many', '-1', '0', '99999', '', '2026-02-31', '%ff', 'a&b=c']) {
      yield `${name}=${value}`;
    }
    yield `${name}=1&${name}=2`;
    yield `${name}x=1`;
  }
  yield 'dryrun=1';
}

/**
 * An example with one mistake for each of its values: another type, another name, a missing value, or one too
 * many.
 */
function* bodiesLike(
  whole: unknown,
  value: unknown = whole,
  at = '',
): Generator<readonly [string, unknown]> {
  const change = (other: unknown) => patched(whole, [{ op: 'replace', path: at, value: other }]);
  for (const other of [7, -1, 1.5, 'x', 'x'.repeat(5000), true, null, [], {}, [7]]) {
    yield [`${at} is ${JSON.stringify(other).slice(0, 10)}`, change(other)];
  }
  if (Array.isArray(value)) {
    yield [`${at} has too many`, change(Array.from({ length: 1001 }, () => value[0]))];
    for (const [index, item] of value.entries()) {
      yield* bodiesLike(whole, item, `${at}/${index}`);
    }
  }
  if (!isObject(value)) return;
  yield [`${at} has more`, change({ ...value, colour: 'red' })];
  for (const [key, item] of Object.entries(value)) {
    const path = `${at}${pointerToken(key)}`;
    yield [`${path} is left out`, patched(whole, [{ op: 'remove', path }])];
    const slip = `${at}${pointerToken(`${key.slice(0, -1)}_${key.slice(-1)}`)}`;
    yield [`${path} is misspelt`, patched(whole, [{ op: 'move', from: path, path: slip }])];
    yield* bodiesLike(whole, item, path);
  }
}
