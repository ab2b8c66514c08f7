/**
 * Sample reports for tests of renderers: a real tenant with two defects, and variations.
 *
 * They have the contract's own statements, so that output has its real size.
 */

import { hash } from 'node:crypto';
import {
  assembleReport,
  type Collected,
  totalsOf,
} from '../../conformance/judge/assemble-report.ts';
import type {
  Judged,
  Observation,
  Report,
  ScenarioResult,
} from '../../conformance/judge/report.ts';
import { contract, type Statement } from '../../spec/contract.ts';

/** Two promises broken, one deviation from a standard, three reasons for gaps, a feature missing. */
export function sampleReport(changes: Partial<Report> = {}): Report {
  const judged = statements.flatMap((item) => onSample(item, checksOf(item)));
  return assemble({ judged }, changes);
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

/** A report of a mock in which everything passed. */
export function passedReport(changes: Partial<Report> = {}): Report {
  const target = sampleTarget('https://localhost:4010');
  return assemble(
    {
      judged: statements.flatMap(checksOf),
      scenarios: scenarios.map(({ reason: _reason, ...item }) => ({ ...item, outcome: 'ran' })),
      target: { ...target, kind: 'mock', version: '0.1.0', world: 'r7k2' },
      ...{ notApplicable: [], preflight: [], warnings: [] },
    },
    changes,
  );
}

function assemble(
  parts: Partial<Collected> & Pick<Collected, 'judged'>,
  changes: Partial<Report>,
): Report {
  const made = { ...assembleReport({ ...sample, ...parts }), ...changes };
  return { ...made, totals: totalsOf(made.statements, made.scenarios) };
}

const statements = [...contract.statements.values()];
const digest = (text: string): string => hash('sha256', text);

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
const titles = new Map([...Object.values(scenarioNames), otherwise]);

const scenarios = [...titles].map(([file, scenario], index): ScenarioResult => {
  const about = { scenario, file: `conformance/scenarios/${file}.yaml` };
  if (file === 'recipients/add') {
    const reason = 'permanent writes are not allowed (--allow permanent)';
    return {
      ...{ ...about, reason, effect: 'permanent', outcome: 'not-run', durationMs: 0, requests: 0 },
    };
  }
  const took = { durationMs: 320 + index * 77, requests: 40 + index };
  return { ...about, effect: 'reversible', outcome: 'ran', ...took };
});

/** The checks of a statement on a target that keeps it. */
function checksOf({ id, level, unobservable }: Statement): Judged[] {
  if (unobservable !== undefined) return [];
  const [area = '', number] = id.split('-');
  const [file, scenario] = scenarioNames[area] ?? otherwise;
  const isSilent = level === 'silent';
  const check = (step: string, entry: number): Judged => ({
    ...{ statement: id, scenario, step },
    kind: isSilent ? 'observe' : 'check',
    verdict: isSilent ? 'observed' : 'verified',
    location: {
      file: `conformance/scenarios/${file}.yaml`,
      ...{ line: 10 + Number(number) * 3 + entry, column: 7 },
    },
    evidence: [`evidence/${file.split('/')[0]}.har#${entry}`],
  });
  return [check('on', 2), check('after', 3)];
}

/** The checks of a statement, as they come out on the sample tenant. */
function onSample({ id, level }: Statement, checks: readonly Judged[]): readonly Judged[] {
  const [first, second] = checks;
  if (first === undefined || second === undefined || level === 'silent') return checks;
  const untested = (reason: string): Judged[] => [
    { ...first, verdict: 'not-testable', reason, evidence: [] },
  ];
  switch (id.startsWith('RECIP-') || id.startsWith('AUDIT-') ? id.split('-')[0] : id) {
    case 'STAGE-5': {
      const reason = 'after 30 s no further environment was listed with type staging';
      const came = { expected: { $length: 1 }, actual: [], pointer: '/that/0' };
      return [first, { ...second, verdict: 'violated', reason, ...came }];
    }
    case 'UPD-5': {
      const came = { expected: 400, actual: 422, pointer: '/status' };
      const steps = [0, 1, 2, 3, 4].map((index) => `unlisted[${index}]`);
      return steps.map((step) => ({ ...first, step, verdict: 'violated', ...came }));
    }
    case 'HTTP-1': {
      const pointer = '/headers/www-authenticate';
      const came = { expected: { $present: true }, actual: null, pointer };
      return [{ ...first, verdict: 'deviates', ...came }];
    }
    case 'AUTH-9':
      return untested('the tenant file names no credential `scoped`');
    case 'RECIP':
      return id === 'RECIP-1' ? [] : untested('not allowed: permanent (raise --allow)');
    case 'AUDIT':
      return untested('features: { auditLog: false }').map((check) => ({
        ...check,
        verdict: 'not-applicable',
      }));
    default:
      return checks;
  }
}

const silences = statements
  .filter(({ level }) => level === 'silent')
  .map(({ id, assumption, alternatives = [] }, index): Observation => {
    const choices = [assumption, ...alternatives];
    const choice = index % 5 === 4 ? undefined : choices[index % choices.length]?.id;
    return {
      ...{ kind: 'silence', statement: id, choice: choice ?? 'other' },
      value: index % 3 === 0 ? 400 + (index % 10) : { shape: ['error', 'string'] },
      count: 1 + (index % 4),
      evidence: [`evidence/authentication.har#${index}`],
    };
  });

const sample: Omit<Collected, 'judged'> = {
  mayTry: new Set(),
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
    ...{ allow: 'reversible', convergenceMs: 30_000, standards: 'report' },
    ...{ complete: false, jobs: 8, only: [] },
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
      message: 'is refused with 401; promises that only an embed JWT can show are not testable',
    },
  ],
  scenarios,
  observations: [
    ...silences,
    {
      ...{ kind: 'undeclared-field', operation: 'listDeployments' },
      ...{ value: '/data/deployments/*/region', count: 45 },
      evidence: ['evidence/authentication.har#3'],
    },
    {
      ...{ kind: 'undeclared-status', operation: 'updateFolder', value: 409, count: 1 },
      evidence: ['evidence/staging.har#9'],
    },
  ],
  eventually: [
    {
      scenario: 'Enabling and disabling a shared branch’s staging environment',
      ...{ step: 'after', tookMs: 4210, polls: 5, withinMs: 30_000 },
    },
    {
      scenario: 'A listed version becomes the current one',
      ...{ step: 'current', tookMs: null, polls: 31, withinMs: 30_000 },
    },
  ],
  notApplicable: statements
    .filter(({ id, level, unobservable }) => {
      return id.startsWith('AUDIT-') && level !== 'silent' && unobservable === undefined;
    })
    .map(({ id }) => ({ feature: 'auditLog', statements: [id] })),
  requests: {
    total: 1284,
    byStatus: { '200': 902, '400': 61, '401': 214, '403': 96, '404': 7, '429': 4 },
    ...{ retries: 1, throttled: 4, throttledMs: 8000, networkErrors: 1 },
  },
  evidence: ['staging', 'versions', 'recipients', 'authentication'].map((name) => ({
    ...{ file: `evidence/${name}.har`, sha256: digest(name), entries: 40 },
  })),
  warnings: ['the name of folder 11 was put back after a first try that was answered 503'],
  leftBehind: [],
  interrupted: false,
};
