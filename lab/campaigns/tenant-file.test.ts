/**
 * Tenant files with one mistake: each binding and credential of the schema, in each possible way.
 * The run must never report a broken promise. It ends with 4 and names both possible causes, unless
 * no call can show the mistake.
 */
import { describe, expect, test } from 'vitest';
import { safetyFacts } from '../../conformance/areas/safety.ts';
import { failureOf, newRunId } from '../../conformance/commands/command.ts';
import { runSuite } from '../../conformance/commands/run-suite.ts';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import type { Suite } from '../../conformance/language/scenario.ts';
import {
  bindingFields,
  type Claims,
  credentialNames,
  kindOfBinding as kindOf,
} from '../../conformance/language/vocabulary.ts';
import type { Target } from '../../conformance/target/target.ts';
import { completeBindings } from '../../conformance/target/tenant.ts';
import { derived } from '../../conformance/testing/derived.ts';
import type { Effect } from '../../spec/contract.ts';
import { bench, withLedger } from '../tenant/measure.ts';

/** The suite without variations, which would take long. */
const { whole: _whole, ...own } = loadOwnSuite();

type Binding = Record<string, unknown>;

/** A tenant file, and the secrets in the environment. */
interface Told {
  baseUrl: string;
  readonly bindings: Record<string, Binding>;
  readonly secrets: Record<string, string>;
  readonly claims: Record<string, Claims>;
}

/** The id of a branch's environment. */
const environmentOf = (branch: number): string => `e${branch.toString(36)}`;

/**
 * For each kind, an object of the other deployment, and one of this deployment for bindings named
 * `foreign...`.
 */
const elsewhere: Readonly<Record<string, readonly [Binding, Binding]>> = {
  environment: [{ id: environmentOf(900_201) }, { id: environmentOf(900_101) }],
  branch: [{ name: 'yard' }, { name: 'cranes' }],
  folder: [{ id: 3420 }, { id: 3330 }],
  notification: [{ id: 8851 }, { id: 8802 }],
};

interface Row {
  readonly what: string;
  /** The names of the wrong claims. The run must name at least one of them. */
  readonly names: readonly string[];
  readonly change: (told: Told) => void;
  /** The run continues with a warning about the checks that are left out. */
  readonly warns?: true;
}

const objects = Object.keys(bindingFields).filter((name) =>
  bindingFields[name]?.some((field) => field === 'id'),
);

const exchanged =
  <T>(a: string, b: string, of: (told: Told) => Record<string, T>) =>
  (told: Told): void => {
    const all = of(told);
    const [one, other] = [all[a], all[b]];
    if (one === undefined || other === undefined) throw new Error(`${a} or ${b} is not there`);
    Object.assign(all, { [a]: other, [b]: one });
  };

const bindingsOf = ({ bindings }: Told): Told['bindings'] => bindings;
const secretsOf = ({ secrets }: Told): Told['secrets'] => secrets;

/** All pairs of names. */
const pairsOf = (names: readonly string[]): (readonly [string, string])[] =>
  names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other] as const));

const alike = pairsOf(objects).filter(([one, other]) => kindOf(one) === kindOf(other));

const bindingRows: readonly Row[] = [
  ...objects.map((name): Row => {
    const gone = kindOf(name) === 'branch' ? { name: 'gone' } : { id: 999 };
    const change = ({ bindings }: Told): void => void Object.assign(bindings, { [name]: gone });
    return { what: `${name} is not there`, names: [name], change };
  }),
  ...objects.flatMap((name): Row[] => {
    const [away, here] = elsewhere[kindOf(name)] ?? [];
    const other = name.startsWith('foreign') ? here : away;
    const change = ({ bindings }: Told): void => void Object.assign(bindings, { [name]: other });
    if (other === undefined) return [];
    return [{ what: `${name} lies in the other deployment`, names: [name], change }];
  }),
  ...alike.map(([one, other]): Row => {
    const change = ({ bindings }: Told): void => {
      Object.assign(bindings, { [other]: { ...bindings[one] } });
    };
    return { what: `${other} is ${one}`, names: [one, other], change };
  }),
  ...alike.map(([one, other]): Row => {
    const change = exchanged(one, other, bindingsOf);
    return { what: `${one} and ${other} are swapped`, names: [one, other], change };
  }),
  ...objects
    .filter((name) => bindingFields[name]?.includes('name'))
    .map((name): Row => {
      const change = ({ bindings }: Told): void =>
        void Object.assign(bindings[name] ?? {}, { id: 900111 });
      return { what: `${name} has the id of another`, names: [name], change };
    }),
];

const tenantsOwn = bench().tenant.tenantFile('https://harbour.example').bindings;

const boundOf = (name: string): Binding | undefined => (tenantsOwn as Told['bindings'])[name];

/** Converts an id between a number and a text of digits; undefined if it has only one form. */
function otherForm(id: unknown): unknown {
  if (typeof id === 'number') return String(id);
  return typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : undefined;
}

const formRows: readonly Row[] = objects.flatMap((name): Row[] => {
  const id = otherForm(boundOf(name)?.id);
  const change = ({ bindings }: Told): void => void Object.assign(bindings[name] ?? {}, { id });
  return id === undefined
    ? []
    : [{ what: `the id of ${name} has the other form`, names: [name], change }];
});

/** Mistakes that no call can show. */
const unseen = new Set([
  // The runner sends the form that the service shows, or says that the list shows another form.
  ...formRows.map(({ what }) => what),
  // The description does not say how an unfinished sync behaves.
  ...['runningDbtSync is not there', 'failedDbtSync is not there'],
  'runningDbtSync and failedDbtSync are swapped',
  // Neither branch can be enabled.
  'productionBranch and personalBranch are swapped',
  // Without a nested folder, the run uses `folder` in its place.
  'nestedFolder is folder',
  // The tenant also accepts an address that no user has.
  'nobody has the address of one user',
  // A key of the account may also be accepted by the SCIM API.
  ...['scim is admin', 'scim is scoped', 'scim is oauth'],
  // The two have the same rights.
  ...['admin and oauth are swapped', 'member and memberOauth are swapped'],
  ...['expired and expiredOauth are swapped', 'expired and expiredScim are swapped'],
  ...['expiredOauth and expiredScim are swapped'],
]);

/** A target on the tenant with a changed tenant file and environment. */
function targetAs(change: Row['change']): Target {
  const { target, tenant } = bench({ habits: [] });
  const told: Told = {
    baseUrl: target.baseUrl,
    bindings: structuredClone(tenant.tenantFile(target.baseUrl).bindings) as Told['bindings'],
    secrets: { ...tenant.credentials },
    claims: Object.fromEntries(
      [...target.credentials].map(([name, { claims }]) => [name, { ...claims }]),
    ),
  };
  Object.assign(told.bindings, { foreignEnvironment: { id: environmentOf(900_201) } });
  change(told);
  const { baseUrl, claims, secrets } = told;
  const credentials = Object.entries(claims).map(
    ([name, said]) => [name, { claims: said, secret: secrets[name] ?? '' }] as const,
  );
  const bindings = completeBindings(told.bindings);
  return { ...target, baseUrl, bindings, credentials: new Map(credentials) };
}

/** The suite with the scenarios that need one of these bindings or credentials. */
const suiteFor = (names: readonly string[]): Suite => ({
  ...own,
  scenarios: own.scenarios.filter(({ needs }) =>
    needs.some((need) => names.includes(need.split('.')[0] ?? '')),
  ),
});

const run = (
  { change, names }: Pick<Row, 'change' | 'names'>,
  allow: Effect,
  evidence = false,
  suite = suiteFor(names),
) =>
  withLedger((openLedger) =>
    runSuite({
      ...{ suite, target: targetAs(change), safety: safetyFacts, version: '0' },
      ...{ openLedger, evidence, names: { id: newRunId(), startedAt: new Date().toISOString() } },
      options: {
        ...{ allow, convergenceMs: 20, standards: 'report', complete: false },
        ...{ jobs: 8, only: [], seed: 1 },
      },
    }),
  );

/**
 * Runs the suite: the exit code, the messages about the file, and the promises reported as broken.
 */
async function ran(row: Pick<Row, 'change' | 'names'>, allow: Effect) {
  try {
    const { exitCode, preflight, statements, warnings } = (await run(row, allow)).report;
    const said = preflight.map(({ name, message }) => `${name}: ${message}`).concat(warnings);
    const broken = statements.filter(({ verdict }) => /^(violated|unstable)$/.test(verdict));
    return { exitCode, said, blamed: broken.map(({ id }) => id) };
  } catch (error) {
    const { exitCode, message } = failureOf(error);
    return { exitCode, said: [`the tenant file: ${message}`], blamed: [] };
  }
}

const held = Object.keys(bench().tenant.credentials);

const credentialRows: readonly Row[] = [
  ...pairsOf(held).map(([one, other]): Row => {
    const change = ({ secrets }: Told): void => {
      Object.assign(secrets, { [other]: secrets[one] });
    };
    return { what: `${other} is ${one}`, names: [one, other], change };
  }),
  ...pairsOf(held).map(([one, other]): Row => {
    const change = exchanged(one, other, secretsOf);
    return { what: `${one} and ${other} are swapped`, names: [one, other], change };
  }),
];

/** Mistakes in one recipient, next to correct recipients. */
const people: readonly (readonly [string, Binding])[] = [
  [
    'nobody has the number of one user',
    { users: [{ userId: 999_999 }, { email: 'jonas.esbjerg1@harbour.example' }] },
  ],
  [
    'nobody has the address of one user',
    { users: [{ userId: 619 }, { email: 'nobody@harbour.example' }] },
  ],
  [
    'the number and the address of a user are of two',
    { users: [{ userId: 999_999, email: 'jonas.esbjerg1@harbour.example' }] },
  ],
  [
    'an embed user has no address',
    { embedUsers: [{ embedTenantName: 'haulier-nord', externalId: 'nobody' }] },
  ],
];

const otherRows: readonly Row[] = [
  {
    what: 'the address ends in the path of an API',
    names: ['baseUrl'],
    change: (told) => void Object.assign(told, { baseUrl: `${told.baseUrl}/api/v1` }),
  },
  {
    what: 'the address has a path of its own',
    names: ['baseUrl'],
    change: (told) => void Object.assign(told, { baseUrl: `${told.baseUrl}/tenant` }),
  },
  {
    what: 'the number of the deployment is that of the other',
    names: ['deployment', 'otherDeployment'],
    change: ({ bindings }) => void Object.assign(bindings.deployment ?? {}, { numericId: 7002 }),
  },
  {
    what: 'the number of the deployment is that of a third',
    names: ['folder', 'dbtSync', 'notification'],
    change: ({ bindings }) => void Object.assign(bindings.deployment ?? {}, { numericId: 7005 }),
  },
  {
    what: 'nobody knows the recipient',
    names: ['recipients'],
    change: ({ bindings }) =>
      void Object.assign(bindings.recipients ?? {}, { users: [{ userId: 999_999 }] }),
  },
  ...people.map(
    ([what, list]): Row => ({
      what,
      names: ['recipients'],
      change: ({ bindings }) => void Object.assign(bindings.recipients ?? {}, list),
    }),
  ),
  ...['personalBranch', 'productionBranch'].map(
    (name): Row => ({
      what: `${name} is a shared branch`,
      names: [name],
      change: ({ bindings }) => void Object.assign(bindings, { [name]: { name: 'cranes' } }),
    }),
  ),
  {
    what: 'nestedFolder lies at the top',
    names: ['nestedFolder'],
    change: ({ bindings }) => void Object.assign(bindings, { nestedFolder: { id: 3330 } }),
  },
  ...objects
    .filter((name) => kindOf(name) !== 'deployment' && otherForm(boundOf(name)?.id) !== undefined)
    .map(
      (name): Row => ({
        what: `${name} has two numbers`,
        names: [name],
        change: ({ bindings }) => void Object.assign(bindings[name] ?? {}, { numericId: 4242 }),
      }),
    ),
  ...[['9.9.9'], ['v4.2.0', '4.0.7']].map(
    (mayRun): Row => ({
      what: `of the versions only ${mayRun.join(' and ')} may run`,
      names: ['versions'],
      change: ({ bindings }) => void Object.assign(bindings, { versions: { mayRun } }),
    }),
  ),
  ...Object.entries({
    end: '1970-01-02',
    eventName: 'auth:never',
    userEmail: 'nobody@harbour.example',
    search: 'nothing-has-it',
  }).map(
    ([key, value]): Row => ({
      what: `the audit log has nothing for the ${key} ${value}`,
      names: [key === 'end' ? 'audit' : `audit.${key}`],
      warns: true,
      change: ({ bindings: { audit = {} } }) =>
        void Object.assign(audit, key === 'end' && { start: '1970-01-01' }, { [key]: value }),
    }),
  ),
  {
    what: 'the administrator may export the audit log, against the file',
    names: ['admin'],
    change: ({ claims }) => void Object.assign(claims.admin ?? {}, { auditLogManage: false }),
  },
  {
    what: 'the days of the audit log run backwards',
    names: ['audit'],
    change: ({ bindings: { audit = {} } }) =>
      void Object.assign(audit, { start: audit.end, end: audit.start }),
  },
  {
    what: 'the member may edit another folder',
    names: ['member'],
    change: ({ claims }) => void Object.assign(claims.member ?? {}, { edits: [3320] }),
  },
  {
    what: 'the scoped key is for another deployment',
    names: ['scoped'],
    change: ({ claims }) => void Object.assign(claims.scoped ?? {}, { deployments: ['7002'] }),
  },
  {
    what: 'the administrator is a member',
    names: ['admin'],
    change: ({ claims }) => void Object.assign(claims.admin ?? {}, { role: 'member' }),
  },
];

test('each binding with an identifier, and each credential of the tenant, is in the table', () => {
  const { tenant } = bench();
  const { bindings } = tenant.tenantFile('https://harbour.example');
  expect(objects.filter((name) => name !== 'foreignEnvironment' && !(name in bindings))).toEqual(
    [],
  );
  // The tenant has no administrator with an embed JWT.
  expect(credentialNames.filter((name) => !held.includes(name))).toEqual(['adminEmbed']);
});

test('a correct file contradicts nothing', async () => {
  const names = [...objects, ...held, 'recipients', 'audit'];
  const right = await ran({ names, change: () => {} }, 'reversible');
  expect(right).toEqual({ exitCode: 0, said: [], blamed: [] });
});

describe.for([
  ['bindings', bindingRows],
  ['forms of ids', formRows],
  ['credentials', credentialRows],
  ['the rest', otherRows],
] as const)('%s', ([, rows]) => {
  test.for(rows)('$what', async (row) => {
    const { exitCode, said, blamed } = await ran(row, 'permanent');
    const text = said.join('\n');
    expect(blamed, text).toEqual([]);
    if (unseen.has(row.what)) return;
    if (row.warns !== true) expect(exitCode, text).toBe(4);
    expect(row.names.filter((name) => text.includes(name))).not.toEqual([]);
  });
});

const leftOut = ['auditLogManage', 'edits', 'deployments'] as const;

/** The file says of each credential only what its name says, but for the claims of these. */
const saysOnly =
  (...names: readonly string[]) =>
  ({ claims }: Told): void => {
    for (const [name, said] of Object.entries(claims))
      if (!names.includes(name))
        for (const claim of leftOut) Object.assign(said, { [claim]: undefined });
  };

const swaps: readonly (readonly [string, string])[] = [
  ['admin', 'memberOauth'],
  ['member', 'oauth'],
  ['scoped', 'memberOauth'],
];

test.for([
  ...swaps.map(([one, other]): Row => {
    const swap = exchanged(one, other, secretsOf);
    const change = (told: Told): void => {
      saysOnly('admin', 'member', 'scoped')(told);
      swap(told);
    };
    return { what: `${one} and ${other}, of which it claims nothing`, names: [one, other], change };
  }),
  {
    what: 'deployment and otherDeployment',
    names: ['deployment', 'otherDeployment', 'sharedBranch'],
    change: exchanged('deployment', 'otherDeployment', bindingsOf),
  } satisfies Row,
])('a run that only reads blames nobody if a file swaps $what', async (row) => {
  const { exitCode, said, blamed } = await ran(row, 'none');
  expect(blamed, said.join('\n')).toEqual([]);
  expect(exitCode, said.join('\n')).toBe(4);
});

test('a file that leaves claims out contradicts nothing', async () => {
  const names = [...held, 'audit', 'otherDeployment'];
  const right = await ran({ names, change: saysOnly() }, 'none');
  expect(right).toEqual({ exitCode: 0, said: [], blamed: [] });
});

test('a wrong object of the other deployment breaks nothing in the turns that went there', async () => {
  const needing = loadOwnSuite();
  const scenarios = needing.scenarios.filter(({ needs }) =>
    needs.some((need) => need.startsWith('notification')),
  );
  const row = bindingRows.find(({ what }) => what === 'foreignNotification is not there');
  if (row === undefined) throw new Error('there is no such row');
  const { report } = await run(row, 'permanent', false, { ...needing, scenarios });
  const broken = report.statements.filter(({ verdict }) => /^(violated|unstable)$/.test(verdict));
  expect(broken.map(({ id }) => id)).toEqual([]);
  expect(report.exitCode).toBe(4);
});

test('contradictions that calls showed can be verified by the evidence', async () => {
  const row = bindingRows.find(({ what }) => what === 'notification is not there');
  if (row === undefined) throw new Error('there is no such row');
  const { report, evidence } = await run(row, 'permanent', true);
  expect(report.preflight).toMatchObject([
    { name: 'notification', message: expect.stringMatching(/is refused in \d+ scenarios \(400\)/) },
  ]);
  const { differences, problems } = await derived({ report, evidence }, suiteFor(row.names));
  expect([differences, problems]).toEqual([[], []]);
});

test('a version that the list lacks is reported, and is not a contradiction', async () => {
  const change: Row['change'] = ({ bindings }) =>
    void Object.assign(bindings, { versions: { mayRun: ['4.2.0', '4.0.7', '9.9.9'] } });
  const { report } = await run({ names: ['versions'], change }, 'none');
  expect(report.preflight).toEqual([]);
  expect(report.warnings).toEqual([
    expect.stringMatching(
      /^versions.mayRun: 9\.9\.9 is not on the versions list of deployment 7001/,
    ),
  ]);
});
