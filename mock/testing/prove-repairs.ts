/** Follows each repair of a refused request, as a client would, and checks the answer. */
import { expect } from 'vitest';
import { bodyText, type ExchangeRequest } from '../pipeline/exchange.ts';
import type { Service } from '../service/service.ts';
import type { PatchOperation, Repair } from '../world/explanation.ts';
import type { CorpusEntry, CorpusRequest } from './corpus-entry.ts';
import { exchangeOf, withReplayed } from './replay.ts';

type Choices = Readonly<Record<string, string>>;

/** The repairs of the request; undefined if it was not refused. Fails if one of them does not work. */
export function proveRepairs(
  entry: CorpusEntry,
  assumptions: Choices = {},
  late: Choices = {},
): Promise<readonly Repair[] | undefined> {
  return withReplayed(entry, assumptions, late, async ({ world }, service) => {
    const { refusal, id } = world.journal.last() ?? {};
    if (refusal === undefined || refusal === null) return undefined;
    const told = await ask(service, 'GET', `/__admin/worlds/w/requests/${id}`);
    const { repairs, refusal: shown } = JSON.parse(told.text) as {
      readonly repairs: readonly Repair[];
      readonly refusal: { readonly lines: readonly string[] };
    };
    // Each must be a whole sentence: the redactor took no word of it for a secret.
    const sentences = repairs.map(({ text, status }) => `accepted with ${status}: ${text}`);
    expect(shown.lines).toEqual(expect.arrayContaining(sentences));
    const before = await ask(service, 'POST', '/__admin/worlds/w/snapshots');
    const { id: snapshot } = JSON.parse(before.text) as { readonly id: string };
    for (const repair of repairs) {
      const { status, text } = await follow(service, entry.send, repair);
      expect(status, `${repair.text} -> ${text}`).toBe(repair.status);
      await ask(service, 'POST', `/__admin/worlds/w/snapshots/${snapshot}/restore`);
    }
    return repairs;
  });
}

async function follow(service: Service, sent: CorpusRequest, { steps }: Repair) {
  let request: ExchangeRequest = exchangeOf(sent);
  let isChanged = false;
  for (const step of steps) {
    const { headers, target, body } = request;
    switch (step.what) {
      case 'before':
        await before(service, step);
        break;
      case 'secure':
        request = { ...request, plain: false };
        break;
      case 'credential':
        request = {
          ...request,
          headers: { ...headers, authorization: `Bearer w-${step.credential}` },
        };
        break;
      case 'request':
        request = { ...request, method: step.method, target: `/w/w${step.target}` };
        if (step.method === 'GET') request = { ...request, body: undefined };
        break;
      case 'headers': {
        const changed = Object.entries(step.headers).map(([name, value]) => [
          name,
          value ?? undefined,
        ]);
        request = { ...request, headers: { ...headers, ...Object.fromEntries(changed) } };
        break;
      }
      case 'body': {
        isChanged = true;
        const isWhole = step.patch[0]?.path === '';
        const document: unknown = isWhole ? null : JSON.parse(new TextDecoder().decode(body));
        const patched = JSON.stringify(apply(document, step.patch));
        request = { ...request, target, body: new TextEncoder().encode(patched) };
        break;
      }
    }
  }
  const { tooLarge, ...rest } = request;
  return answerOf(service, isChanged || tooLarge === undefined ? rest : request);
}

async function before(
  service: Service,
  { method, path, body, credential }: Extract<Repair['steps'][number], { what: 'before' }>,
) {
  const authorization = credential === undefined ? undefined : `Bearer w-${credential}`;
  const { status, text } = await ask(service, method, path, body, { authorization });
  expect(status, `${method} ${path} ${text}`).toBeLessThan(300);
}

async function ask(
  service: Service,
  method: string,
  target: string,
  body?: object,
  headers: ExchangeRequest['headers'] = {},
) {
  const bytes = body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body));
  const json = { 'content-type': 'application/json', ...headers };
  return answerOf(service, { method, target, headers: json, body: bytes });
}

async function answerOf(service: Service, request: ExchangeRequest) {
  const response = await service.handle(request);
  return { status: response.status, text: await bodyText(response) };
}

/**
 * JSON Patch by RFC 6902. It is written independently of the product, so that both do not have the
 * same mistake.
 */
function apply(document: unknown, patch: readonly PatchOperation[]): unknown {
  const root = { document };
  for (const step of patch) {
    if (step.op === 'remove') take(root, step.path);
    else if (step.op === 'move') add(root, step.path, take(root, step.from));
    else {
      if (step.op === 'replace' && step.path !== '') take(root, step.path);
      add(root, step.path, step.value);
    }
  }
  return root.document;
}

/** Removes and returns the value at a path. The value must exist (section 4.2). */
function take(root: object, path: string): unknown {
  const [holder, key] = place(root, path);
  expect(Object.hasOwn(holder, key), `${path} is there`).toBe(true);
  if (Array.isArray(holder)) return holder.splice(Number(key), 1)[0];
  const value = holder[key];
  delete holder[key];
  return value;
}

function add(root: object, path: string, value: unknown): void {
  const [holder, key] = place(root, path);
  if (Array.isArray(holder)) holder.splice(Number(key), 0, value);
  else holder[key] = value;
}

function place(root: object, path: string): [Record<string, unknown>, string] {
  const keys = ['document', ...path.split('/').slice(1)].map((token) =>
    token.replaceAll('~1', '/').replaceAll('~0', '~'),
  );
  let holder = root as Record<string, unknown>;
  for (const key of keys.slice(0, -1)) holder = holder[key] as Record<string, unknown>;
  return [holder, keys.at(-1) ?? ''];
}
