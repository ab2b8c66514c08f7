/** Finds the clients that a breach reaches, because their tests rely on the statement. Pure. */

import { count } from '../../spec/base/count.ts';
import { contract } from '../../spec/contract.ts';
import type { ReachedClient } from '../judge/gate.generated.ts';
import type { RelyingClient, Report } from '../judge/report.ts';
import { isFailure } from '../judge/verdict.ts';

type How = ReachedClient['how'];

/** A broken statement, or a silence with another answer, and the clients that it reaches. */
export interface Reach {
  readonly statement: string;
  readonly clients: readonly ReachedClient[];
}

/** The clients that a broken promise reaches; `suspects` are deviations that look the same. */
export function reachOfPromise(
  statement: string,
  clients: readonly RelyingClient[],
  suspects: readonly string[] = [],
): Reach {
  const found = reach(statement, clients, 'promises', () => true);
  const isSuspect = (by: readonly string[] = []): boolean => by.some((id) => suspects.includes(id));
  const narrowed = found.clients.map((client, index): ReachedClient => {
    const { tests = {}, unnoticed = {} } = clients[index]?.reliance ?? {};
    const failing = client.tests.filter((test) => isSuspect(tests[test]?.promises[statement]));
    const wasTried = failing.length > 0 || isSuspect(unnoticed[statement]);
    return wasTried && client.tests.length > 0 ? { ...client, failing } : client;
  });
  return { statement, clients: narrowed };
}

/**
 * The clients that a new answer to a silence reaches. A choice under which the tests pass reaches
 * none.
 */
export function reachOfSilence(
  statement: string,
  answers: readonly string[],
  clients: readonly RelyingClient[],
): Reach {
  const { assumption, alternatives = [] } = contract.statements.get(statement) ?? {};
  // The tests passed under the mock's assumption in the plain run.
  const open = answers.filter((answer) => answer !== assumption?.id);
  const isKnown = open.every((answer) => alternatives.some(({ id }) => id === answer));
  return reach(
    statement,
    clients,
    'assumptions',
    (choices) => !isKnown || choices.some((choice) => open.includes(choice)),
    !isKnown,
  );
}

function reach(
  statement: string,
  clients: readonly RelyingClient[],
  what: 'promises' | 'assumptions',
  isBroken: (by: readonly string[]) => boolean,
  isNew = false,
): Reach {
  const of = ({ name, reliance }: RelyingClient): ReachedClient => {
    const { asked, unknown = [], unnoticed = {} } = reliance;
    const tests = Object.entries(reliance.tests)
      .filter(([, { [what]: by }]) => by[statement] !== undefined && isBroken(by[statement]))
      .map(([test]) => test);
    if (tests.length > 0) return { name, how: 'relies', tests };
    const isTried = asked.includes(what) && !unknown.includes(statement) && !isNew;
    if (!isTried) return { name, how: 'unknown', tests };
    return { name, how: statement in unnoticed ? 'meets' : 'not', tests };
  };
  return { statement, clients: clients.map(of) };
}

/** The clients that each broken statement reaches. */
export function reachIn({
  statements,
  diagnosis,
  reliance = [],
}: Pick<Report, 'statements' | 'diagnosis' | 'reliance'>) {
  if (reliance.length === 0) return [];
  const { causes = [] } = diagnosis ?? {};
  const suspects = causes.flatMap(([first]) => first?.deviations.map(({ id }) => id) ?? []);
  return brokenIn({ statements }).map((id) => reachOfPromise(id, reliance, suspects));
}

const brokenIn = ({ statements }: Pick<Report, 'statements'>): string[] =>
  statements
    .filter(({ level, verdict }) => level !== 'silent' && isFailure(verdict))
    .map(({ id }) => id);

/** The part of the clients' data that a report keeps: only promises that it found broken. */
export function reachedClients(
  report: Pick<Report, 'statements'>,
  clients: readonly RelyingClient[],
): RelyingClient[] {
  const broken = new Set(brokenIn(report));
  const kept = <Value>(all: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(all).filter(([id]) => broken.has(id)));
  return clients.map(({ name, reliance }) => {
    const tests = Object.entries(reliance.tests).map(([test, { promises, assumptions }]) => {
      return [test, { promises: kept(promises), assumptions }] as const;
    });
    const unnoticed = kept(reliance.unnoticed ?? {});
    return { name, reliance: { ...reliance, unnoticed, tests: Object.fromEntries(tests) } };
  });
}

const unnamed = 'all tests';

/** `billing-sync (3 tests)`. */
function withTests({ name, tests, failing }: Omit<ReachedClient, 'how'>): string {
  const many = tests.includes(unnamed) ? 'its tests' : count(tests.length, 'test');
  const isAll = failing === undefined || failing.length === tests.length;
  const few = isAll ? '' : `, ${failing.length || 'none'} of them if it is what it looks like`;
  return `${name} (${many}${few})`;
}

/** A short summary that counts each test once: `reaches billing-sync (3 tests)`. */
export function reachHeadline(all: readonly Reach[]): string | undefined {
  const clients = all.flatMap((one) => one.clients);
  if (clients.length === 0) return undefined;
  const reached = [...Map.groupBy(clients, ({ name }) => name)].flatMap(([name, own]) => {
    const tests = [...new Set(own.flatMap((one) => one.tests))];
    return tests.length === 0 ? [] : [withTests({ name, tests })];
  });
  return reached.length === 0 ? 'reaches no test that is known' : `reaches ${reached.join(', ')}`;
}

/**
 * One line about the clients that a difference reaches; `answers` are those to a silence. Empty if
 * there are no clients.
 */
export function reachOfDifference(
  statement: string,
  answers: readonly string[] | undefined,
  clients: readonly RelyingClient[],
): string[] {
  if (clients.length === 0) return [];
  const reach =
    answers === undefined
      ? reachOfPromise(statement, clients)
      : reachOfSilence(statement, answers, clients);
  return [reachText(reach)];
}

/** `it reaches billing-sync (3 tests); dashboard does not rely on it`. */
export function reachText({ clients }: Reach): string {
  const reached = clients.filter(({ how }) => how === 'relies').map(withTests);
  const of = (wanted: How, text: string, all: string): string[] => {
    const names = clients.filter(({ how }) => how === wanted).map(({ name }) => name);
    return names.length === 0 ? [] : [`${names.join(', ')} ${names.length === 1 ? text : all}`];
  };
  return [
    ...(reached.length > 0 ? [`it reaches ${reached.join(', ')}`] : []),
    ...of('meets', 'meets it, and no test of it would notice', 'meet it, and no test would notice'),
    ...of('unknown', 'was not asked about all of it', 'were not asked about all of it'),
    ...of('not', 'does not rely on it', 'do not rely on it'),
  ].join('; ');
}
