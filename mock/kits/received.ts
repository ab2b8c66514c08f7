/** Finds out if a world has received a request. If not, it shows the nearest requests that came. */
import { parseJson } from '../../spec/base/json.ts';
import { insteadOf } from '../../spec/base/similar.ts';
import type { OperationId } from '../../spec/contract.ts';
import { headerOf, impossible } from '../control/request-criteria.ts';
import { inline } from '../world/changes.ts';
import { isCut, type JournalEntry } from '../world/journal.ts';
import { describeEntry } from './describe.ts';

/** The expected request; a part that is left out does not matter. */
export interface ExpectedRequest {
  /** Null for a request that matched no operation. */
  readonly operation?: OperationId | null;
  /** Case does not matter. */
  readonly method?: string;
  /** Without the world's prefix, and without the query. */
  readonly path?: string | RegExp;
  readonly query?: string | RegExp;
  /** Status of the answer as the client got it; 0 if a fault lost it. */
  readonly status?: number;
  /** Name of the credential, such as `admin`; null for a request without a credential of this world. */
  readonly credential?: string | null;
  /** By name in any case; null for a header that the request did not have. */
  readonly headers?: Readonly<Record<string, unknown>>;
  /** Part of the JSON body; asymmetric matchers are fine. */
  readonly body?: unknown;
  /** The exact number of such requests; at least one if it is left out. */
  readonly times?: number;
}

/** Compares as `toMatchObject` does. */
export type Fits = (actual: unknown, expected: unknown) => boolean;

export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The criteria, each with its weight. The request with the most weight is the nearest. */
const CRITERIA = {
  operation: 4,
  path: 3,
  method: 2,
  query: 1,
  status: 1,
  credential: 1,
  headers: 1,
  body: 1,
} as const;
type Criterion = keyof typeof CRITERIA;
const criteriaNames = Object.keys(CRITERIA) as readonly Criterion[];

/** The number of nearest requests in a message. */
const SHOWN = 5;

/** The requests that a world has received. */
export interface Received {
  readonly credentials: Readonly<Record<string, string>>;
  readonly entries: readonly JournalEntry[];
  /** The number of requests that the journal has forgotten. */
  readonly dropped: number;
  /** How many of them it had no room for; undefined for a world of another process. */
  readonly lost?: number | undefined;
}

/**
 * Throws a TypeError for criteria that no request can meet, and for a body that the journal has cut. So a typing
 * error never passes, not even after `not`.
 */
export function received(
  journal: Received,
  expected: ExpectedRequest,
  fits: Fits,
  isNot = false,
): MatcherResult {
  const { times, ...criteria } = expected;
  checkCriteria(journal, expected);
  const compared = journal.entries.map((entry) => ({
    entry,
    differences: differencesOf(entry, expected, fits),
  }));
  const unknown = compared.find(
    ({ entry, differences: [first, ...more] }) =>
      first?.criterion === 'body' && more.length === 0 && isCut(entry.requestBody),
  );
  if (unknown !== undefined) {
    throw new TypeError(
      `the body of request #${unknown.entry.id} is longer than the journal holds, so it cannot be compared`,
    );
  }
  const count = compared.filter(({ differences }) => differences.length === 0).length;
  const message = () => {
    const wanted = times === undefined ? 'at least 1' : `exactly ${times}`;
    const nearest = [...compared]
      .sort((a, b) => distance(a.differences) - distance(b.differences))
      .slice(0, SHOWN);
    const { dropped } = journal;
    return [
      `expected ${wanted} of the requests to be ${inline(criteria)}, and ${count} of ${compared.length} ${count === 1 ? 'was' : 'were'}`,
      compared.length > 0
        ? 'nearest first:'
        : 'the world has received nothing: was the client given world.fetch, or a dispatcher?',
      ...nearest.map(({ entry, differences }) => describeEntry(entry, differences)),
      ...(dropped > 0
        ? [`earlier requests that the journal no longer holds, and that may fit: ${dropped}`]
        : []),
    ].join('\n');
  };
  const { lost = 0 } = journal;
  // Nobody knows if the lost requests were such requests, so the test fails, negated or not.
  const isOpen = lost > 0 && (times === undefined ? count === 0 : count <= times);
  const isSo = times === undefined ? count > 0 : count === times;
  return { pass: isOpen ? isNot : isSo, message };
}

function checkCriteria({ credentials, entries }: Received, expected: ExpectedRequest): void {
  const { times, ...criteria } = expected;
  const unknown = Object.keys(criteria).find((name) => !Object.hasOwn(CRITERIA, name));
  if (unknown !== undefined) {
    const instead = insteadOf(unknown, [...criteriaNames, 'times']);
    throw new TypeError(`a request is not told by ${unknown}${instead}`);
  }
  if (times !== undefined && !(Number.isInteger(times) && times >= 0)) {
    throw new TypeError(`times must be a whole number of at least 0, not ${inline(times)}`);
  }
  const reason = impossible(criteria, credentials, entries);
  if (reason !== undefined) throw new TypeError(reason);
}

function differencesOf(entry: JournalEntry, { headers, ...expected }: ExpectedRequest, fits: Fits) {
  const differing = (name: Criterion, wanted: unknown, actual: unknown, shown: string = name) => {
    const isText = wanted instanceof RegExp && typeof actual === 'string';
    const same = isText ? wanted.test(actual) : fits(actual, wanted);
    return same ? [] : [{ criterion: name, name: shown, expected: wanted, actual }];
  };
  return [
    ...Object.entries(headers ?? {}).flatMap(([name, wanted]) =>
      differing('headers', wanted, headerOf(entry, name), `header ${name}`),
    ),
    ...criteriaNames.flatMap((name) => {
      if (name === 'headers') return [];
      const { [name]: value } = expected;
      const wanted = name === 'method' && typeof value === 'string' ? value.toUpperCase() : value;
      if (wanted === undefined) return [];
      return differing(name, wanted, name === 'body' ? sentBody(entry) : entry[name]);
    }),
  ];
}

function distance(differences: readonly { readonly criterion: Criterion }[]): number {
  return differences.reduce((sum, { criterion }) => sum + CRITERIA[criterion], 0);
}

/** The request's body as JSON, or as text; undefined if there was none. */
function sentBody({ requestBody }: JournalEntry): unknown {
  if (requestBody === null) return undefined;
  const value = parseJson(requestBody);
  return value === undefined ? requestBody : value;
}
