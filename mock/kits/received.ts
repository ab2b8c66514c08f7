/** Whether a world has received a request, and if not, what it received instead. */
import { inspect } from 'node:util';
import { insteadOf } from '../../spec/base/similar.ts';
import type { OperationId } from '../../spec/contract.ts';
import { explanationLines, tellFault } from '../pipeline/explain.ts';
import { impossible } from '../pipeline/request-criteria.ts';
import { type JournalEntry, tellStatus } from '../world/journal.ts';
import type { World } from './index.ts';

/** What a request must have been; what is left out does not matter. */
export interface ExpectedRequest {
  /** Null for a request that matched no operation. */
  readonly operation?: OperationId | null;
  /** Case does not matter. */
  readonly method?: string;
  /** Without the world's prefix, and without the query. */
  readonly path?: string | RegExp;
  readonly query?: string | RegExp;
  /** Status of the answer as the client got it; 0 where a fault lost it. */
  readonly status?: number;
  /** Name of the credential, such as `admin`; null for a request that had none of this world's. */
  readonly credential?: string | null;
  /** Part of the JSON body; asymmetric matchers are fine. */
  readonly body?: unknown;
  /** How many such requests, exactly; at least one where it is left out. */
  readonly times?: number;
}

/** Compares as `toMatchObject` does. */
export type Fits = (actual: unknown, expected: unknown) => boolean;

export interface Outcome {
  readonly pass: boolean;
  readonly message: () => string;
}

/** How far off a request is that fails a criterion. */
const DISTANCE = {
  operation: 4,
  path: 3,
  method: 2,
  query: 1,
  status: 1,
  credential: 1,
  body: 1,
} as const;
type Criterion = keyof typeof DISTANCE;
const CRITERIA = Object.keys(DISTANCE) as readonly Criterion[];

/** How many of the nearest requests a message shows. */
const SHOWN = 5;

/** Throws a TypeError for criteria that no request can meet: as well negated, a slip must not pass. */
export function received(world: World, expected: ExpectedRequest, fits: Fits): Outcome {
  const { times, ...criteria } = expected;
  const unknown = Object.keys(criteria).find((name) => !CRITERIA.includes(name as Criterion));
  if (unknown !== undefined) {
    const instead = insteadOf(unknown, [...CRITERIA, 'times']);
    throw new TypeError(`a request is not told by ${unknown}${instead}`);
  }
  if (times !== undefined && !(Number.isInteger(times) && times >= 0)) {
    throw new TypeError(`times must be a whole number of at least 0, not ${short(times)}`);
  }
  const reason = impossible(criteria, world.credentials, world.requests.list());
  if (reason !== undefined) throw new TypeError(reason);
  const tried = world.requests
    .list()
    .map((entry) => ({ entry, off: misfits(entry, expected, fits) }));
  const found = tried.filter(({ off }) => off.length === 0);
  const pass = times === undefined ? found.length > 0 : found.length === times;
  const message = () => {
    const wanted = times === undefined ? 'at least 1' : `exactly ${times}`;
    const head = `expected ${wanted} of the requests to be ${short(criteria)}, and ${found.length} of ${tried.length} ${found.length === 1 ? 'was' : 'were'}`;
    const nearest = [...tried].sort((a, b) => distance(a.off) - distance(b.off)).slice(0, SHOWN);
    const dropped = world.requests.dropped;
    const lines = nearest.map(({ entry, off }) => describeEntry(entry, off));
    return [
      head,
      ...(lines.length > 0
        ? ['nearest first:', ...lines]
        : ['the world has received nothing: was the client given world.fetch, or a dispatcher?']),
      ...(dropped > 0 ? [`${dropped} earlier requests are no longer in the journal`] : []),
    ].join('\n');
  };
  return { pass, message };
}

export interface Misfit {
  readonly name: Criterion;
  readonly expected: unknown;
  readonly actual: unknown;
}

function misfits(entry: JournalEntry, expected: ExpectedRequest, fits: Fits): Misfit[] {
  return CRITERIA.flatMap((name) => {
    const wanted =
      name === 'method' && typeof expected.method === 'string'
        ? expected.method.toUpperCase()
        : expected[name];
    if (wanted === undefined) return [];
    const actual = name === 'body' ? bodyOf(entry) : entry[name];
    const same =
      wanted instanceof RegExp && typeof actual === 'string'
        ? wanted.test(actual)
        : fits(actual, wanted);
    return same ? [] : [{ name, expected: wanted, actual }];
  });
}

function distance(off: readonly Misfit[]): number {
  return off.reduce((sum, { name }) => sum + DISTANCE[name], 0);
}

/** The request's body as JSON, else as text; undefined where there was none. */
function bodyOf({ requestBody }: JournalEntry): unknown {
  if (requestBody === undefined || requestBody.length === 0) return undefined;
  const text = new TextDecoder().decode(requestBody);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** A request and its answer in a few lines: what it was, how it misses, why it was refused. */
export function describeEntry(entry: JournalEntry, off: readonly Misfit[] = []): string {
  const { id, method, path, query, operation, credential, passedOver } = entry;
  const { refusal, fault } = entry;
  const target = query === '' ? path : `${path}?${query}`;
  const who = `${operation ?? 'no operation'}, ${credential ?? 'no credential'}`;
  const lines = [`  #${id} ${method} ${target} -> ${tellStatus(entry)} (${who})`];
  for (const { name, expected, actual } of off) {
    lines.push(`     ${name}: expected ${short(expected)}, was ${short(actual)}`);
  }
  for (const unknown of passedOver) lines.push(`     passed over: ${unknown}`);
  if (fault !== null) lines.push(`     struck by ${tellFault(fault)}`);
  if (refusal !== null && refusal.statement !== 'fault') {
    lines.push(`     refused: ${refusal.message}`);
    for (const line of explanationLines(refusal)) lines.push(`       ${line}`);
  }
  return lines.join('\n');
}

function short(value: unknown): string {
  return inspect(value, { depth: 6, breakLength: Number.POSITIVE_INFINITY });
}
