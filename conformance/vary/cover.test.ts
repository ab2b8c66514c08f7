/** Tests how variations are distributed over a suite. */

import { expect, test } from 'vitest';
import { loadSuite } from '../language/load.ts';
import { loadOwnSuite } from '../language/own-suite.ts';
import { allSteps, type Scenario, type Whole } from '../language/scenario.ts';
import { mayRepeat as canRepeat } from '../safety/plan.ts';
import { callsOf, costOf, type Place } from './calls.ts';
import { type Cover, coverOf } from './cover.ts';

const credential = (claims = {}) => ({ claims });
const place: Place = {
  kind: 'mock',
  credentials: new Map([
    ...['admin', 'member', 'oauth', 'scim'].map((name) => [name, credential()] as const),
    ['scoped', credential({ deployments: [1] })],
  ]),
  bindings: {
    deployment: { id: '1', numericId: 1 },
    otherDeployment: { id: '2', numericId: 2 },
    folder: { id: 11, numericId: 11 },
    foreignFolder: { id: 21, numericId: 21 },
    sharedBranch: { id: 102, numericId: 102, name: 'feature-orders' },
  },
};
const always = { mayRun: () => true, mayRepeat: () => true };
const own = loadOwnSuite().whole as Whole;

/** The variations of one scenario, with the callers of the suite. */
function coverFor(text: string, where: Partial<Place> = {}, options = {}) {
  const { scenarios } = loadSuite([{ name: 'scenarios/test.yaml', text }]);
  const whole: Whole = { ...own, scenarios };
  const [scenario] = scenarios;
  if (scenario === undefined) throw new Error('there is no scenario');
  const cover = coverOf(whole, { ...place, ...where }, { ...always, ...options });
  return { cover, scenario };
}

/** Every way in which a step is made in the turns of a scenario. */
function waysIn({ cover, scenario }: ReturnType<typeof coverFor>, step: string): string[] {
  const made = cover.turns(scenario).map((turn) => cover.waysOf(scenario, turn).get(step) ?? []);
  return [...new Set(made.flat())].sort();
}

const rename = `
scenario: A folder takes a name
steps:
  - { id: rename, call: updateFolder, body: { name: "lockstep {run.id}" }, checks: { FOLDER-2: { roundTrip: [name] } } }
  - { id: again, call: updateFolder, body: { name: "lockstep {run.id} 2" }, checks: { FOLDER-2: { roundTrip: [name] } } }
  - { id: last, call: updateFolder, body: {}, checks: { FOLDER-2: 200 } }
`;

test('callers take turns within a scenario, so that one attempt covers several', () => {
  const { cover, scenario } = coverFor(rename);
  const [first = {}] = cover.turns(scenario);
  expect(first.mixed).toBe(true);
  const callers = ['rename', 'again', 'last'].map((id) => first.as?.[id] ?? 'admin');
  expect(new Set(callers)).toEqual(new Set(['admin', 'oauth', 'scoped']));
});

test('a scenario that cannot be repeated has one change at a time', () => {
  const { cover, scenario } = coverFor(rename, {}, { mayRepeat: () => false });
  for (const turn of cover.turns(scenario)) expect(turn.mixed).toBeUndefined();
});

test('a scenario that leaves only things that expire is tried with other callers', () => {
  const isToken = ({ statements }: Scenario): boolean => statements.has('META-4');
  const cover = coverOf(own, place, { ...always, mayRepeat: (scenario) => !isToken(scenario) });
  const turns = own.scenarios.filter(isToken).flatMap((scenario) => cover.turns(scenario));
  const callers = turns.flatMap(({ as = {} }) => Object.values(as));
  expect(callers).toEqual(expect.arrayContaining(['oauth', 'scoped']));
  for (const turn of turns) expect(turn.mixed).toBeUndefined();
});

test('each caller is tried with each spelling', () => {
  const cover = coverOf(own, place, always);
  const tried = own.scenarios.flatMap((scenario) => {
    const switches = [...allSteps(scenario.steps)].filter(
      ({ operation, as }) => operation?.id === 'setStagingEnvironment' && as === 'admin',
    );
    return cover.turns(scenario).flatMap(({ as = {}, rewritten = {} }) =>
      switches.map(({ id, body }) => {
        const written = Object(body).branchName === undefined ? 'by identifier' : 'by name';
        const spelling = rewritten[id]?.find((name) => name.startsWith('by ')) ?? written;
        return `as ${as[id] ?? 'admin'} ${spelling}`;
      }),
    );
  });
  for (const caller of ['admin', 'member', 'oauth', 'scoped'])
    for (const spelling of ['by identifier', 'by name'])
      expect(tried).toContain(`as ${caller} ${spelling}`);
});

test('on a tenant each caller is tried with each form of a version, without a wait', () => {
  const mayRepeat = ({ effect }: Scenario): boolean => effect !== 'disruptive';
  const versions = { mayRun: ['1.6.3'] };
  const tenant: Place = { ...place, kind: 'tenant', bindings: { ...place.bindings, versions } };
  const cover = coverOf(own, tenant, { mayRun: () => true, mayRepeat });
  const played = (form: string): Set<string> =>
    new Set(
      own.scenarios
        .filter(({ location }) => !mocks.test(location.file))
        .flatMap((scenario) =>
          [...allSteps(scenario.steps)]
            .filter(({ checks }) => checks.some(({ statement }) => statement === form))
            .filter(({ operation }) => operation?.id === 'updateDeployment')
            .flatMap(({ id }) => cover.turns(scenario).map(({ as = {} }) => as[id] ?? 'admin')),
        ),
    );
  for (const form of ['UPD-2', 'UPD-3', 'UPD-4'])
    expect(played(form)).toEqual(new Set(['admin', 'member', 'oauth', 'scoped']));
});

/** Scenarios that end on a tenant before their first switch. */
const mocks = /versions\/(spellings|switch|stays-listed)\.yaml$/;

test('a caller without access, or without a credential, makes no call', () => {
  const member = coverFor(rename);
  expect(waysIn(member, 'rename')).not.toContain('as member'); // edit access is needed
  const editor = ['member', credential({ edits: [11] })] as const;
  const edits = coverFor(rename, { credentials: new Map([['admin', credential()], editor]) });
  expect(waysIn(edits, 'last')).toContain('as member');
  const credentials = new Map([['admin', credential()]]);
  const alone = coverFor(rename, { credentials });
  expect(alone.cover.turns(alone.scenario).every(({ as }) => as === undefined)).toBe(true);
});

test('a key of some deployments is not tried in another deployment', () => {
  const { cover, scenario } = coverFor(rename);
  const elsewhere = cover.turns(scenario).filter((turn) => turn.elsewhere === true);
  for (const { as = {} } of elsewhere) expect(Object.values(as)).not.toContain('scoped');
});

test('if an answer depends on the caller, all calls of an attempt have the same caller', () => {
  const { cover, scenario } = coverFor(`
scenario: The first page
steps:
  - { id: one, call: listDeployments, query: { limit: 1 }, checks: { PAGE-4: 2xx } }
  - { id: two, call: listDeployments, query: { limit: 2 }, checks: { PAGE-4: 2xx } }
`);
  for (const { as = {} } of cover.turns(scenario)) expect(as.one).toBe(as.two);
});

test('a promise about callers keeps its caller', () => {
  const { cover, scenario } = coverFor(`
scenario: An administrator is let in
steps: [{ id: one, call: listBranches, checks: { AUTH-6: allowed } }]
`);
  for (const { as } of cover.turns(scenario)) expect(as).toBeUndefined();
});

test('a failed mixture is played as written, with each change alone, and twice more', () => {
  const { cover, scenario } = coverFor(rename);
  const [mixture = {}] = cover.turns(scenario);
  const parts = cover.apart(scenario, mixture);
  expect(parts[0]).toEqual({});
  expect(parts.slice(-2)).toEqual([mixture, mixture]);
  expect(parts).toContainEqual({ as: { rename: 'oauth', again: 'oauth', last: 'oauth' } });
  expect(cover.apart(scenario, {})).toEqual([]);
});

test('a check that looks at an earlier answer tries the step of that answer', () => {
  const { scenario } = coverFor(`
scenario: A filtered list is compared with the whole one
steps:
  - { id: whole, call: listEnvironments }
  - { id: filtered, call: listEnvironments, query: { type: staging } }
  - id: whole-again
    call: listEnvironments
    checks: { ENV-6: { that: { value: "{steps.filtered.body.data}", is: { $type: object } } } }
`);
  const { calls } = callsOf(scenario, { ...own, scenarios: [scenario] }, place);
  expect(calls.map(({ step, checks }) => [step.id, checks.length])).toEqual([
    ['whole', 0],
    ['filtered', 1],
    ['whole-again', 0],
  ]);
});

test('on a tenant every caller tries what a filter and the body of a token promise', () => {
  const mayRepeat = (one: Scenario): boolean => canRepeat(one, { kind: 'tenant' });
  const cover = coverOf(own, { ...place, kind: 'tenant' }, { ...always, mayRepeat });
  for (const id of ['ENV-6', 'ENV-7', 'META-3', 'META-4', 'META-5']) {
    const tried = own.scenarios.flatMap((scenario) =>
      callsOf(scenario, own, place).calls.flatMap(({ step, checks }) =>
        checks.some(({ statement }) => statement === id)
          ? cover.turns(scenario).map(({ as = {} }) => as[step.id] ?? 'admin')
          : [],
      ),
    );
    expect(new Set(tried), id).toEqual(new Set(['admin', 'member', 'oauth', 'scoped']));
  }
});

test('a sixth more calls cover the whole suite, always in the same way', () => {
  const covers: Cover[] = [1, 2].map(() => coverOf(own, place, always));
  const [cover, again] = covers as [Cover, Cover];
  const base = own.scenarios.reduce((sum, one) => sum + costOf(one), 0);
  let more = 0;
  for (const scenario of own.scenarios) {
    const turns = cover.turns(scenario);
    expect(again.turns(scenario)).toEqual(turns);
    expect(turns.length).toBeGreaterThan(0);
    more += (turns.length - 1) * costOf(scenario);
  }
  expect(more / base).toBeLessThan(1 / 6);
  const titled = (id: string) => own.scenarios.filter(({ statements }) => statements.has(id));
  const held = (id: string): Set<string> =>
    new Set(
      titled(id).flatMap((scenario) =>
        cover.turns(scenario).flatMap((turn) => [...cover.waysOf(scenario, turn).values()].flat()),
      ),
    );
  expect(held('STAGE-5')).toContain('as member');
  expect(held('STAGE-1')).toContain('by identifier');
  expect(held('VER-2')).toContain('in the other deployment');
});
