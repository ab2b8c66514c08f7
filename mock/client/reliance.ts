/**
 * Makes the file that says which test of a client relies on which statements. It is committed next
 * to the client, and the gate reads it.
 */
import { version } from '../../spec/base/version.ts';
import { contractName } from '../../spec/contract.ts';
import type { ClientReport } from './client-report.ts';
import type { Judged } from './outcome.ts';

/** By statement: the deviations that a test noticed, or the choices under which it fails. */
type ByStatement = Readonly<Record<string, readonly string[]>>;

/** The name for all tests if the command does not report single tests. */
const ALL_TESTS = 'all tests';

/** The tests that failed in a run. */
export const testsOf = ({ tests }: Pick<Judged, 'tests'>): readonly string[] =>
  tests.length === 0 ? [ALL_TESTS] : tests;

/** `conformance/report.schema.json` has the form, under `Reliance`. */
export function relianceOf(report: Pick<ClientReport, 'results' | 'kinds' | 'leftOutOf'>) {
  const { results, kinds, leftOutOf } = report;
  const broken = results.filter(({ outcome, kind }) => outcome === 'broken' && kind !== 'loss');
  const byTest = new Map<string, Judged[]>();
  for (const result of broken)
    for (const test of testsOf(result)) byTest.set(test, [...(byTest.get(test) ?? []), result]);
  const tests = [...byTest].map(([test, own]) => {
    const promises = byStatement(own, 'mutant', ({ id }) => id);
    const assumptions = byStatement(own, 'sweep', ({ id }) => id.slice(id.indexOf(':') + 1));
    return [test, { promises, assumptions }] as const;
  });
  // A flaky run, or one that met nothing, shows nothing about its statements.
  const doubtful = results.filter(({ outcome }) => outcome === 'flaky' || outcome === 'not met');
  return {
    lockstep: version,
    contract: contractName,
    asked: [
      ...(kinds.includes('mutant') ? ['promises'] : []),
      ...(kinds.includes('sweep') ? ['assumptions'] : []),
    ],
    unknown: unique([...leftOutOf, ...doubtful.flatMap(({ statements }) => statements)]),
    unnoticed: byStatement(
      results.filter(({ outcome }) => outcome === 'held'),
      'mutant',
      ({ id }) => id,
    ),
    tests: sortedEntries(tests),
  };
}

function byStatement(
  results: readonly Judged[],
  kind: Judged['kind'],
  nameOf: (result: Judged) => string,
): ByStatement {
  const pairs = results
    .filter((result) => result.kind === kind)
    .flatMap((result) => result.statements.map((id) => [id, nameOf(result)] as const));
  const groups = [...Map.groupBy(pairs, ([id]) => id)];
  return sortedEntries(groups.map(([id, all]) => [id, unique(all.map(([, name]) => name))]));
}

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort();

const sortedEntries = <Value>(entries: readonly (readonly [string, Value])[]) =>
  Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
