/**
 * Changes that may help a refused request. They concern the credential, the request line, a
 * parameter, a header, the body, or an event that must come first. This file names no operation:
 * all changes follow from the contract, the events of the world and its rows.
 */
import { DEEPEST, deeperThan, isObject, parseJson, pointerToken } from '../../spec/base/json.ts';
import { meant } from '../../spec/base/similar.ts';
import type { Operation, Parameter } from '../../spec/contract.ts';
import { operationsNear } from '../pipeline/explain.ts';
import { match } from '../pipeline/request-line.ts';
import { isJsonType } from '../pipeline/validate.ts';
import type { Explanation, Precondition } from '../world/explanation.ts';
import { tableNames } from '../world/rows.ts';
import type { World } from '../world/world.ts';
import { exampleRequests, filledPath } from './example-requests.ts';
import { patched } from './json-patch.ts';
import { bodyPatches, nearestTo, patchesAt } from './repair-body.ts';
import { controlPath, type Draft } from './repair-draft.ts';

/** The distance of a change from the request that was sent, and the parts of the draft that it sets. */
export type Guess = readonly [cost: number, change: Partial<Draft>];

export interface RefusedDraft {
  readonly world: World;
  readonly draft: Draft;
  readonly refused: Explanation;
  readonly status: number;
  /** Seconds of Retry-After. */
  readonly wait: number;
}

/** Request lines to try for a request that matched no operation. */
const MOST_LINES = 3;
const MOST_ROWS = 500;

export function* changesFor(given: RefusedDraft): Generator<Guess, void> {
  const { draft, refused } = given;
  const found = match(draft.method, draft.path);
  yield* credentials(given);
  yield* headers(draft);
  if (found.kind !== 'operation') {
    yield* lines(given);
    return;
  }
  const { operation } = found;
  if (found.head) yield [1, { method: operation.method }];
  if (refused.missingRight !== undefined && refused.missingRight.credentials.length > 0) return;
  yield* parameters(given, operation, found.params);
  yield* bodies(given, operation);
  yield* preconditions(given, operation, found.params);
}

function* credentials({ draft, refused, status, world }: RefusedDraft): Generator<Guess, void> {
  const isAsked = refused.missingRight !== undefined || status === 401 || status === 403;
  if (!isAsked && draft.credential !== null) return;
  const rows = world.state.tables.credentials.rows().filter(({ state }) => state === 'active');
  const names = refused.missingRight?.credentials ?? rows.map(({ name }) => name);
  for (const [index, credential] of names.entries()) {
    yield [1 + index / 100, { credential, isSignedAnew: true }];
  }
}

function* headers({ headers: sent, body }: Draft): Generator<Guess, void> {
  const without = (name: string) => ({ headers: { ...sent, [name]: undefined } });
  for (const name of ['content-encoding', 'prefer']) {
    if (sent[name] !== undefined) yield [1, without(name)];
  }
  if (body !== null && !isJsonType(sent['content-type'])) {
    yield [1, { headers: { ...sent, 'content-type': 'application/json' } }];
  }
}

/** The nearest request lines for a request that matches no operation. */
function* lines({ draft, world }: RefusedDraft): Generator<Guess, void> {
  const near = operationsNear(draft.method, draft.path).slice(0, MOST_LINES);
  for (const { operation, cost, parameters: read } of near) {
    const { method, path, body } = operation;
    const filled = filledPath(
      path,
      (name) => read[name] ?? idsFor(world, operation, name, '', read)[0],
    );
    const line = { method, path: filled };
    yield [1 + cost, body === null ? { ...line, body: null, patch: [] } : line];
  }
}

type Read = Readonly<Record<string, string>>;

function* parameters(
  given: RefusedDraft,
  operation: Operation,
  read: Read,
): Generator<Guess, void> {
  const { draft, refused, world } = given;
  const { path, query } = draft;
  if (path.length > 1 && path.endsWith('/')) yield [1, { path: path.slice(0, -1) }];
  const { at = '' } = refused;
  if (query !== '' && at !== '') yield* queryChanges(given, operation.parameters);
  const isAboutBody = at.startsWith('/') || refused.problems !== undefined;
  if (isAboutBody) return;
  for (const { in: place, name } of operation.parameters) {
    const sent = read[name];
    if (place !== 'path' || sent === undefined) continue;
    for (const [index, id] of idsFor(world, operation, name, sent, read).entries()) {
      const other = filledPath(operation.path, (key) => (key === name ? id : read[key]));
      yield [(at === name ? 1.2 : 1.6) + index / 10, { path: other }];
    }
  }
}

/** The query with another name, another value, or without a parameter. */
function* queryChanges(
  { draft, refused, world }: RefusedDraft,
  parameters: readonly Parameter[],
): Generator<Guess, void> {
  const document: Record<string, unknown> = Object.fromEntries(new URLSearchParams(draft.query));
  const { [refused.at ?? '']: atFault, ...others } = document;
  if (atFault === undefined) return;
  const known = parameters.filter((one) => one.in === 'query');
  const properties = Object.fromEntries(known.map(({ name, schema }) => [name, schema]));
  const examples = [Object.fromEntries(known.map(({ name, example }) => [name, example]))];
  const patches = patchesAt(
    { schema: { properties }, examples, document, world },
    pointerToken(refused.at ?? ''),
  );
  // Another parameter may exclude this one.
  const without = Object.keys(others).map(
    (name) => [{ op: 'remove', path: pointerToken(name) }] as const,
  );
  for (const [index, patch] of [...patches, ...without].entries()) {
    const query = new URLSearchParams(patched(document, patch) as Record<string, string>);
    yield [1 + index / 10, { query: query.toString() }];
  }
}

/** Ids that a parameter of the path may have: of the rows that the segment before it names, then the example. */
function idsFor(
  world: World,
  { path, parameters, requires }: Operation,
  name: string,
  sent: string,
  read: Read,
): unknown[] {
  const segments = path.split('/');
  const before = segments[segments.indexOf(`{${name}}`) - 1] ?? '';
  const table = meant(before, tableNames);
  const rows =
    (table && world.state.tables[table as (typeof tableNames)[number]].slice(0, MOST_ROWS)) || [];
  const deployment = requires.deployment === undefined ? undefined : read[requires.deployment];
  const isThere = (row: object) => !('deploymentId' in row) || row.deploymentId === deployment;
  const ids = rows.filter(isThere).map((row) => ('id' in row ? row.id : undefined));
  const example = parameters.find((one) => one.name === name)?.example;
  return [...nearestTo(sent, ids), ...(example === undefined ? [] : [example])].filter(
    (id) => String(id) !== sent,
  );
}

function* bodies(
  { draft, refused, world }: RefusedDraft,
  { body }: Operation,
): Generator<Guess, void> {
  if (body === null) return;
  const document = documentOf(draft);
  for (const [cost, patch] of bodyPatches(body, document, refused, world)) {
    // A patch of the whole body replaces the patches before it.
    const isWhole = patch.some(({ path }) => path === '');
    yield [cost, { patch: isWhole ? patch : [...draft.patch, ...patch] }];
  }
}

/** The body as JSON; undefined if it is not JSON, is nested too deep, or if reading it would change its numbers. */
export function documentOf({ body, patch }: Pick<Draft, 'body' | 'patch'>): unknown {
  const whole = patch.find(({ path }) => path === '');
  if (body === null && whole === undefined) return undefined;
  const isExact = body === null || !(/\d{16}/.test(body) || deeperThan(body, DEEPEST));
  const document = isExact ? parseJson(body ?? undefined) : undefined;
  return document === undefined && whole === undefined ? undefined : patched(document, patch);
}

/** A condition that may be missing: an event on the service's side, a write, or some time. */
function* preconditions(
  { draft, refused, wait, world }: RefusedDraft,
  operation: Operation,
  read: Read,
): Generator<Guess, void> {
  const first = (cost: number, call: Precondition): Guess => [
    cost,
    { before: [...draft.before, call] },
  ];
  if (wait > 0) {
    const path = controlPath(world, 'clock/advance');
    yield first(1, { method: 'POST', path, body: { seconds: wait } });
  }
  if (refused.problems !== undefined) return;
  const document = documentOf(draft);
  const named: Readonly<Record<string, unknown>> = {
    ...read,
    ...(isObject(document) ? document : {}),
  };
  const deployment = read[operation.requires.deployment ?? ''];
  for (const [type, { fields }] of Object.entries(world.events)) {
    const given = fields.flatMap((field) => valueFor(field, named));
    if (given.length === 0) continue;
    const body = { type, ...Object.fromEntries(given), ...(deployment && { deployment }) };
    yield first(2, { method: 'POST', path: controlPath(world, 'events'), body });
  }
  for (const { method, path, body, id } of exampleRequests) {
    const { credential } = draft;
    if (method === 'GET' || id === operation.id || credential === null || !isObject(body)) continue;
    yield first(2.5, { method, path, body, credential });
  }
}

/** The value of a request for a field of an event: `branchName` of the request is `name` of the event. */
function valueFor(field: string, named: Readonly<Record<string, unknown>>) {
  const ending = `${field.slice(0, 1).toUpperCase()}${field.slice(1)}`;
  const name = Object.keys(named).find((key) => key === field || key.endsWith(ending));
  return name === undefined ? [] : [[field, named[name]] as const];
}
