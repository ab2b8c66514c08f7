/** An honest tenant: a base with the choices of its variants. The suite certifies it. */
import type { Report } from '../../conformance/judge/report.ts';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import type { Scenario } from '../../conformance/language/scenario.ts';
import type { Ledger } from '../../conformance/safety/ledger.ts';
import type { Target, Transport } from '../../conformance/target/target.ts';
import { Random } from '../../spec/base/random.ts';
import { brokenIn, reportOf } from '../exam/suite-run.ts';
import { withLedger } from '../tenant/measure.ts';
import { bases } from './bases.ts';
import { Seam } from './seam.ts';
import type { BaseName, Variant } from './variant.ts';
import { scenariosMeeting } from './where.ts';

export interface Tenant {
  readonly base: BaseName;
  /** The first variant is applied nearest to the service. */
  readonly variants: readonly Variant[];
  readonly seed: number;
}

export interface HonestTarget {
  readonly target: Target;
  readonly convergenceMs: number;
  /** The number of answers that differ from those of the base. */
  readonly effects: () => number;
}

/** Makes the tenant as a target of the runner. */
export async function honestTarget({ base, variants, seed }: Tenant): Promise<HonestTarget> {
  const seam = new Seam();
  const { target, memory, convergenceMs } = await bases[base](variants, (send) =>
    seam.around(send),
  );
  const { credentials, bindings } = target;
  const random = new Random(seed);
  const scene = { ...memory, convergenceMs, credentials, bindings, met: () => seam.met() };
  const operators = variants.flatMap(
    ({ does }) => does?.({ ...scene, random: new Random(random.next()) }) ?? [],
  );
  seam.open(target.baseUrl, operators, variants);
  const told = variants.reduce((named, variant) => variant.bindings?.(named) ?? named, bindings);
  const shared = variants.some((variant) => variant.shared);
  return {
    target: { ...target, bindings: told, ...(shared && { shared }) },
    ...{ convergenceMs, effects: () => seam.effects },
  };
}

export interface Answer {
  /**
   * The statements that failed and all other problems, each with its first place. Empty if the
   * tenant passed.
   */
  readonly refused: readonly string[];
  /** Promises that could not be tested, with the reason. */
  readonly gaps: readonly { readonly id: string; readonly reason: string }[];
  readonly effects: number;
  readonly requests: number;
}

const suite = loadOwnSuite();

/** The report of the suite on a tenant. `through` wraps its target. */
export async function certified(
  tenant: Tenant,
  only: readonly string[] = [],
  through: (send: Transport) => Transport = (send) => send,
  scenarios: readonly Scenario[] = suite.scenarios,
): Promise<Report & { readonly effects: number }> {
  const { target: own, convergenceMs, effects } = await honestTarget(tenant);
  const target = { ...own, transport: through(own.transport) };
  try {
    const run = (more: { readonly openLedger?: () => Ledger }) =>
      reportOf({ ...suite, scenarios }, target, { convergenceMs, jobs: 8, only }, more);
    const report = await (target.kind === 'tenant'
      ? withLedger((openLedger) => run({ openLedger }))
      : run({}));
    return { ...report, effects: effects() };
  } finally {
    await target.close();
  }
}

/** Certifies a tenant that the suite must pass. */
export async function examineTenant(tenant: Tenant): Promise<Answer> {
  try {
    const near = await scenariosNear(tenant);
    const report = await certified(tenant, [], undefined, near);
    const answer = answerOf(report);
    if (near.length === suite.scenarios.length || answer.refused.length === 0) return answer;
    // If the selected scenarios fail, or are too few to judge, the whole suite runs.
    return answerOf(await certified(tenant));
  } catch (error) {
    return {
      refused: [`broke off: ${(error as Error).message}`],
      gaps: [],
      effects: 0,
      requests: 0,
    };
  }
}

/**
 * For a tenant with one variant, the scenarios that the variant can affect; for any other, all
 * scenarios.
 */
export async function scenariosNear({ base, variants }: Tenant): Promise<readonly Scenario[]> {
  const [only, ...others] = variants;
  const isAlone = only !== undefined && others.length === 0 && base === 'mock';
  const near = isAlone ? await scenariosMeeting(only) : [];
  return near.length === 0 ? suite.scenarios : near;
}

const answerOf = (report: Report & { readonly effects: number }): Answer => ({
  ...marked(report),
  effects: report.effects,
  requests: report.requests.total,
});

/** Reads from a report why the tenant is refused, and the gaps. */
export function marked({
  statements,
  exitCode,
  leftBehind,
}: Report): Pick<Answer, 'refused' | 'gaps'> {
  const failed = brokenIn({ statements }, ({ pointer = '', expected, actual }) => {
    return `: ${JSON.stringify({ pointer, expected, actual }).slice(0, 300)}`;
  });
  const left = leftBehind.map((object) => `left changed: ${JSON.stringify(object).slice(0, 300)}`);
  const refused = [...failed, ...left];
  if (exitCode !== 0 && refused.length === 0) refused.push(`exit code ${exitCode}`);
  const gaps = statements
    .filter(({ level, verdict }) => level !== 'silent' && verdict === 'not-testable')
    // A statement without a check had no scenario in this run.
    .filter(({ checks }) => checks.length > 0)
    .map(({ id, reason = '' }) => ({ id, reason }));
  return { refused, gaps };
}
