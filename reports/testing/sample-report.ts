/**
 * Reports to try renderers on: what a real tenant with two defects would give, and variations.
 *
 * Made from the contract's own statements, so that a renderer is seen at its real size. For tests.
 */

import { createHash } from 'node:crypto';
import { totalsOf } from '../../conformance/judge/assemble-report.ts';
import {
  type CheckResult,
  exitCodes,
  type Observation,
  type Report,
  type ScenarioResult,
  type StatementResult,
  type Verdict,
} from '../../conformance/judge/report.ts';
import { contract, type Statement } from '../../spec/contract.ts';

/** Two promises broken, one deviation from a standard, two reasons for gaps, a feature missing. */
export function sampleReport(changes: Partial<Report> = {}): Report {
  const scenarios = sampleScenarios();
  const statements = [...contract.statements.values()].map((item) => result(item, scenarios));
  return assemble({ scenarios, statements, exitCode: exitCodes.violation, ...changes });
}

/** A tenant of one deployment, with an administrator's key. */
export function sampleTarget(baseUrl: string): Report['target'] {
  return {
    baseUrl,
    kind: 'tenant',
    credentials: { admin: { role: 'admin' } },
    bindings: { deployment: { id: '1' } },
    features: { auditLog: true },
    aliases: {},
  };
}

/** Everything as it should be, on a mock. */
export function passedReport(changes: Partial<Report> = {}): Report {
  const scenarios = sampleScenarios().map(
    ({ reason: _reason, ...item }): ScenarioResult => ({ ...item, outcome: 'ran' }),
  );
  const statements = [...contract.statements.values()].map((item) => calm(item, scenarios));
  return assemble({
    scenarios,
    statements,
    target: {
      ...sampleTarget('https://localhost:4010'),
      kind: 'mock',
      version: '0.1.0',
      world: 'r7k2',
    },
    notApplicable: [],
    preflight: [],
    warnings: [],
    exitCode: exitCodes.ok,
    ...changes,
  });
}

function assemble(
  parts: Pick<Report, 'scenarios' | 'statements' | 'exitCode'> & Partial<Report>,
): Report {
  const { scenarios, statements } = parts;
  return {
    schemaVersion: 1,
    runId: 'r7k2m',
    suite: {
      version: '0.1.0',
      contractVersion: contract.version,
      contractSha256: contract.sha256.openapi,
      statementsSha256: contract.sha256.statements,
      scenariosSha256: digest('scenarios'),
    },
    target: sampleTarget('https://acme.example.com'),
    startedAt: '2026-11-20T05:12:44.120Z',
    durationMs: 184_300,
    options: {
      allow: 'reversible',
      convergenceMs: 30_000,
      standards: 'report',
      complete: false,
      jobs: 8,
      only: [],
    },
    plan: [
      {
        scenario: 'Enabling and disabling a shared branch’s staging environment',
        step: 'on',
        operation: 'setStagingEnvironment',
        object: 'staging environment of branch feature-orders in deployment 1',
        effect: 'reversible',
        actor: 'admin',
      },
      {
        scenario: 'A folder update changes what is sent and nothing else',
        step: 'rename',
        operation: 'updateFolder',
        object: 'folder 11 of deployment 1',
        effect: 'reversible',
        actor: 'member',
      },
    ],
    preflight: [
      {
        name: 'embed',
        kind: 'credential',
        message: 'is refused with 401; what only an embed JWT can show is not testable',
      },
    ],
    observations: sampleObservations(),
    eventually: [
      {
        scenario: 'Enabling and disabling a shared branch’s staging environment',
        step: 'after',
        tookMs: 4210,
        polls: 5,
        withinMs: 30_000,
      },
      {
        scenario: 'A listed version becomes the current one',
        step: 'current',
        tookMs: null,
        polls: 31,
        withinMs: 30_000,
      },
    ],
    unobservable: [...contract.statements.values()].flatMap(({ id, unobservable }) =>
      unobservable === undefined ? [] : [{ id, reason: unobservable }],
    ),
    notApplicable: [{ feature: 'auditLog', statements: statementIds('AUDIT') }],
    requests: {
      total: 1284,
      byStatus: { '200': 902, '400': 61, '401': 214, '403': 96, '404': 7, '429': 4 },
      retries: 1,
      throttled: 4,
      throttledMs: 8000,
      networkErrors: 1,
    },
    evidence: ['staging', 'versions', 'recipients', 'authentication'].map((name) => ({
      file: `evidence/${name}.har`,
      sha256: digest(name),
      entries: 40,
    })),
    warnings: ['the name of folder 11 was put back after a first try that was answered 503'],
    leftBehind: [],
    interrupted: false,
    totals: totalsOf(statements, scenarios),
    ...parts,
  };
}

const scenarioNames: Readonly<Record<string, readonly [file: string, title: string]>> = {
  STAGE: ['staging/toggle', 'Enabling and disabling a shared branch’s staging environment'],
  UPD: ['versions/switch', 'A listed version becomes the current one'],
  VER: ['versions/list', 'The versions list holds heads and versions run before'],
  RECIP: ['recipients/add', 'Recipients are added all or nothing'],
  FOLDER: ['folders/update', 'A folder update changes what is sent and nothing else'],
  AUTH: ['authentication/refusals', 'Missing, malformed and expired credentials'],
  HTTP: ['authentication/refusals', 'Missing, malformed and expired credentials'],
  SCIM: ['scim/list', 'Users are listed by count and startIndex'],
};
const otherwise = ['reading/lists', 'Lists come in pages'] as const;

function sampleScenarios(): readonly ScenarioResult[] {
  const names = new Map(
    [...Object.values(scenarioNames), otherwise].map(([file, title]) => [title, file]),
  );
  return [...names].map(([scenario, file], index): ScenarioResult => {
    const notRun = file === 'recipients/add';
    return {
      scenario,
      file: `conformance/scenarios/${file}.yaml`,
      effect: notRun ? 'permanent' : 'reversible',
      outcome: notRun ? 'not-run' : 'ran',
      ...(notRun ? { reason: 'permanent writes are not allowed (--allow permanent)' } : {}),
      durationMs: notRun ? 0 : 320 + index * 77,
      requests: notRun ? 0 : 40 + index,
    };
  });
}

/** A statement on the sample tenant. */
function result(item: Statement, scenarios: readonly ScenarioResult[]): StatementResult {
  const fine = calm(item, scenarios);
  const [first, second] = fine.checks;
  if (first === undefined || second === undefined || item.level === 'silent') return fine;
  const area = item.id.split('-')[0];
  if (item.id === 'STAGE-5') {
    return {
      ...fine,
      verdict: 'violated',
      checks: [
        first,
        {
          ...second,
          verdict: 'violated',
          reason: 'after 30 s no further environment was listed with type staging',
          expected: { $length: 1 },
          actual: [],
          pointer: '/that/0',
        },
      ],
    };
  }
  if (item.id === 'UPD-5') {
    return {
      ...fine,
      verdict: 'violated',
      checks: ['unlisted[0]', 'unlisted[1]', 'unlisted[2]', 'unlisted[3]', 'unlisted[4]'].map(
        (step): CheckResult => ({
          ...first,
          step,
          verdict: 'violated',
          expected: 400,
          actual: 422,
          pointer: '/status',
        }),
      ),
    };
  }
  if (item.id === 'HTTP-1') {
    const broken = {
      verdict: 'deviates',
      expected: { $present: true },
      pointer: '/headers/www-authenticate',
    } as const;
    return { ...fine, verdict: 'deviates', checks: [{ ...first, ...broken, actual: null }] };
  }
  const reason =
    area === 'RECIP'
      ? 'not allowed: permanent (raise --allow)'
      : item.id === 'AUTH-9'
        ? 'the tenant file names no credential `scoped`'
        : undefined;
  if (reason !== undefined && item.unobservable === undefined) {
    const { expected: _expected, actual: _actual, ...rest } = first;
    const checks = [{ ...rest, verdict: 'not-testable', reason, evidence: [] } as const];
    return {
      ...fine,
      verdict: 'not-testable',
      reason,
      checks: item.id === 'RECIP-1' ? [] : checks,
    };
  }
  if (area === 'AUDIT' && item.unobservable === undefined) {
    return {
      ...fine,
      verdict: 'not-applicable',
      reason: 'features: { auditLog: false }',
      checks: [],
    };
  }
  return fine;
}

/** A statement on a target that keeps it. */
function calm(item: Statement, scenarios: readonly ScenarioResult[]): StatementResult {
  const about = { id: item.id, level: item.level, text: item.text, section: item.section };
  if (item.unobservable !== undefined) {
    return { ...about, verdict: 'unobservable', reason: item.unobservable, checks: [] };
  }
  const [file, scenario] = scenarioNames[item.id.split('-')[0] ?? ''] ?? otherwise;
  const verdict: Verdict = item.level === 'silent' ? 'observed' : 'verified';
  const line = 10 + Number(item.id.split('-')[1] ?? 0) * 3;
  const check = (step: string, entry: number): CheckResult => ({
    scenario,
    step,
    kind: item.level === 'silent' ? 'observe' : 'check',
    verdict,
    location: { file: `conformance/scenarios/${file}.yaml`, line: line + entry, column: 7 },
    evidence: [`evidence/${file.split('/')[0] ?? ''}.har#${entry}`],
  });
  const known = scenarios.some((other) => other.scenario === scenario);
  return { ...about, verdict, checks: known ? [check('on', 2), check('after', 3)] : [] };
}

function sampleObservations(): readonly Observation[] {
  const silences = [...contract.statements.values()]
    .filter((item) => item.level === 'silent')
    .map((item, index): Observation => {
      const choices = [item.assumption, ...(item.alternatives ?? [])];
      const choice = index % 5 === 4 ? undefined : choices[index % choices.length]?.id;
      return {
        kind: 'silence',
        statement: item.id,
        choice: choice ?? 'other',
        value: index % 3 === 0 ? 400 + (index % 10) : { shape: ['error', 'string'] },
        count: 1 + (index % 4),
        evidence: [`evidence/authentication.har#${index}`],
      };
    });
  return [
    ...silences,
    {
      kind: 'undeclared-field',
      operation: 'listDeployments',
      value: '/data/deployments/*/region',
      count: 45,
      evidence: ['evidence/authentication.har#3'],
    },
    {
      kind: 'undeclared-status',
      operation: 'updateFolder',
      value: 409,
      count: 1,
      evidence: ['evidence/staging.har#9'],
    },
  ];
}

function statementIds(area: string): readonly string[] {
  return [...contract.statements.values()]
    .filter(
      ({ id, level, unobservable }) =>
        id.startsWith(`${area}-`) && level !== 'silent' && unobservable === undefined,
    )
    .map(({ id }) => id);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
