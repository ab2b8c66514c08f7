/**
 * Repairs of a refused request. Each was tried in a copy of its world, as the world is now, and is
 * shown only if the copy accepted it. The search runs only on demand.
 *
 * The cheapest change is tried first. If a copy refuses for another reason than before, that is
 * progress, and the search continues from there. So a request with several faults gets one repair
 * for all of them.
 */
import { equal, pointerKeys } from '../../spec/base/json.ts';
import { named } from '../../spec/contract.ts';
import type { ExchangeResponse } from '../pipeline/exchange.ts';
import type { Explanation, PatchOperation, Repair } from '../world/explanation.ts';
import { isBodyWhole, type JournalEntry } from '../world/journal.ts';
import { EventError } from '../world/service-event.ts';
import type { World } from '../world/world.ts';
import { emit, WorldClock } from '../world/world-clock.ts';
import type { Controlled } from './controlled.ts';
import { redactAll, redactRow } from './redact.ts';
import { changesFor, documentOf, type Guess, type RefusedDraft } from './repair-changes.ts';
import { type Draft, stepsInWords, stepsOf } from './repair-draft.ts';

const MOST_REPAIRS = 3;
const MOST_TRIALS = 120;
/** The greatest distance of a repair from the request that was sent. */
const MOST_COST = 7;

/** A draft that waits for its trial. */
interface Waiting {
  readonly draft: Draft;
  readonly cost: number;
  /** The reason why the draft before this one was refused. */
  readonly because: string | undefined;
}

/** The answer of a copy of the world to a draft: the status if accepted, the reason if refused. */
type Outcome = { readonly accepted: number } | Pick<RefusedDraft, 'refused' | 'status' | 'wait'>;

/**
 * The repairs of a journal's entry, the simplest first; none if it was not refused. A world that deviates
 * gets none, because its acceptance proves nothing.
 */
export function repairsOf(
  service: Pick<Controlled, 'answerIn'>,
  world: World,
  entry: JournalEntry,
): Repair[] {
  if (entry.refusal === null || world.deviations.any) return [];
  const original = draftOf(entry);
  const waiting: Waiting[] = firstOf(world, entry, original);
  const seen = new Set<string>();
  const repairs: Repair[] = [];
  for (let trials = 0; trials < MOST_TRIALS && repairs.length < MOST_REPAIRS; ) {
    const next = waiting.sort((one, other) => one.cost - other.cost).shift();
    if (next === undefined) break;
    const { draft, cost, because } = next;
    const key = JSON.stringify(draft);
    if (seen.has(key)) continue;
    seen.add(key);
    trials += 1;
    const outcome = attempt(service, world, draft);
    if (outcome === undefined) continue;
    if ('accepted' in outcome) {
      const steps = stepsOf(world, original, draft);
      const repair = { text: stepsInWords(steps), steps, status: outcome.accepted };
      if (isNews(repair, repairs) && hidesNothing(world, repair)) repairs.push(repair);
    } else if (reasonOf(outcome.refused) !== because) {
      waiting.push(...changed(world, draft, cost, outcome));
    }
  }
  return repairs;
}

/** A request as the journal holds it. */
function draftOf({ method, path, query, headers, requestBody, credential }: JournalEntry): Draft {
  return {
    ...{ method, path, query, headers, credential, body: requestBody, patch: [], before: [] },
    ...{ isSignedAnew: false, isSecure: false },
  };
}

/**
 * Refusals for a part of the request that the journal does not hold. The request in the journal would not be
 * refused for it.
 */
const notHeld: readonly string[] = [
  ...[named.missingCredential, named.malformedCredential, named.apiKeyScheme],
  ...[named.unknownCredential, named.severalCredentials],
];

/** The first drafts: the request as it was, or drafts that replace the part that the journal does not hold. */
function firstOf(world: World, entry: JournalEntry, original: Draft): Waiting[] {
  const { refusal, status } = entry;
  if (refusal === null) return [];
  const { statement } = refusal;
  const begin = (draft: Draft, cost: number) => ({ draft, cost, because: undefined });
  if (statement === named.plainHttp) return [begin({ ...original, isSecure: true }, 1)];
  const refused = { refused: refusal, status, wait: 0 };
  if (!isBodyWhole(entry) || statement === named.bodyTooLarge) {
    const isAboutBody = statement === named.invalidBody || statement === named.bodyTooLarge;
    if (!isAboutBody) return [];
    const others = changed(world, { ...original, body: null }, 0, refused);
    return others.filter(({ draft }) => draft.patch.length > 0);
  }
  const isHeld = !notHeld.includes(statement) && status !== 401;
  return isHeld
    ? [begin(original, 0)]
    : changed(world, { ...original, credential: null }, 0, refused);
}

function changed(
  world: World,
  draft: Draft,
  cost: number,
  { refused, status, wait }: Pick<RefusedDraft, 'refused' | 'status' | 'wait'>,
): Waiting[] {
  const because = reasonOf(refused);
  const make = ([more, change]: Guess): Waiting[] => {
    const whole = cost + more;
    return whole > MOST_COST ? [] : [{ draft: { ...draft, ...change }, cost: whole, because }];
  };
  return [...changesFor({ world, draft, refused, status, wait })].flatMap(make);
}

function reasonOf({ statement, message, at }: Explanation): string {
  return JSON.stringify([statement, message, at]);
}

/** Sends a draft to a copy of the world; undefined if the answer proves nothing. */
function attempt(
  service: Pick<Controlled, 'answerIn'>,
  world: World,
  draft: Draft,
): Outcome | undefined {
  const copy = world.trial();
  for (const { credential, method, path, body } of draft.before) {
    if (credential === undefined) {
      if (!happened(copy, path, body ?? {})) return undefined;
    } else {
      const first = { method, path, query: '', headers: JSON_BODY, credential };
      const response = ask(service, copy, { ...first, body: JSON.stringify(body) });
      if (response === undefined || response.status >= 300) return undefined;
    }
  }
  const { body, patch } = draft;
  const document = patch.length === 0 ? undefined : documentOf(draft);
  const sent = document === undefined ? body : JSON.stringify(document);
  const response = ask(service, copy, { ...draft, body: sent });
  if (response === undefined) return undefined;
  const { status, headers } = response;
  const last = copy.journal.last();
  if (last === undefined || last.contractFailures.length > 0) return undefined;
  if (last.refusal === null) {
    return status >= 200 && status < 300 ? { accepted: status } : undefined;
  }
  return { refused: last.refusal, status, wait: Number(headers['Retry-After'] ?? 0) };
}

const JSON_BODY = { 'content-type': 'application/json' };

/** Makes a call of the control API in a copy of the world; false if it is not possible. */
function happened(copy: World, path: string, body: Readonly<Record<string, unknown>>): boolean {
  try {
    if (path.endsWith('/clock/advance')) new WorldClock(copy).advance(body);
    else emit(copy, { ...body, type: String(body.type) });
    return true;
  } catch (error) {
    if (error instanceof EventError) return false;
    throw error;
  }
}

/** Undefined if the answer comes later: then it was made from a description, and proves nothing. */
function ask(
  service: Pick<Controlled, 'answerIn'>,
  copy: World,
  draft: Pick<Draft, 'method' | 'path' | 'query' | 'headers' | 'body' | 'credential'>,
): ExchangeResponse | undefined {
  const { method, path, query, headers, body, credential } = draft;
  const signed =
    credential === null ? {} : { authorization: `Bearer ${copy.credential(credential)}` };
  const response = service.answerIn(copy, {
    method,
    target: query === '' ? path : `${path}?${query}`,
    headers: { ...headers, ...signed },
    body: body === null ? undefined : Buffer.from(body),
  });
  return response instanceof Promise ? undefined : response;
}

/**
 * Whether a repair is new. It is not new if it only adds to an earlier one, or does the same in another way.
 */
function isNews(repair: Repair, found: readonly Repair[]): boolean {
  const kinds = (of: Repair) => of.steps.map(({ what }) => what);
  return !found.some((other) => kinds(other).every((kind) => kinds(repair).includes(kind)));
}

/** Whether a repair can be shown in the form that was tried. A repair that would show a secret is not offered. */
function hidesNothing(world: World, { steps }: Repair): boolean {
  const rows = steps.flatMap((step) => (step.what === 'body' ? step.patch.map(asRow) : []));
  return (
    equal(redactAll(world, steps), steps) && rows.every((row) => equal(redactRow(world, row), row))
  );
}

/**
 * The value that a step of a patch writes, under its field names. The names show if the value is a secret.
 */
function asRow(step: PatchOperation): object {
  if (!('value' in step)) return {};
  const inside = (inner: unknown, key: string) => ({ [key]: inner });
  return { body: pointerKeys(step.path).reduceRight<unknown>(inside, step.value) };
}
