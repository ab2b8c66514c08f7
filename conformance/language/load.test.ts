import { expect, test } from 'vitest';
import { LoadError } from '../../spec/base/yaml-source.ts';
import { loadScenario, loadSuite } from './load.ts';

const scenario = (steps: string, head = 'effect: none'): string =>
  `scenario: A title\n${head}\nsteps:\n${steps}\n`;
const step = (rest: string): string =>
  scenario(`  - id: one\n    as: admin\n    call: listDeployments\n${rest}`);

const refused: readonly [string, string, RegExp][] = [
  [
    'an unknown key',
    step('    chekcs: {}'),
    /:7:5: a step has no key chekcs \(did you mean checks\?\)/,
  ],
  [
    'an unknown operation',
    scenario('  - { as: admin, call: listDeploymnts }'),
    /:4:24: .*did you mean listDeployments/,
  ],
  [
    'an unknown statement',
    step('    checks: { PAGE-99: { status: 200 } }'),
    /:7:15: there is no statement PAGE-99/,
  ],
  [
    'an unknown matcher',
    step('    checks: { PAGE-1: { body: { $tpye: object } } }'),
    /no matcher \$tpye \(did you mean \$type/,
  ],
  [
    'an unknown facet',
    step('    checks: { PAGE-1: { statsu: 200 } }'),
    /a check has no key statsu \(did you mean status/,
  ],
  [
    'an unknown key of a computed value',
    step('    capture: { ids: { from: "{body.data}", mnius: [] } }'),
    /:7:44: a value with from has no key mnius \(did you mean minus/,
  ],
  [
    'an unknown key of a computed value in a check',
    step('    checks: { PAGE-1: { that: { value: { day: "{run.startedAt}", ad: 1 }, is: 1 } } }'),
    /a value with day has no key ad \(did you mean add/,
  ],
  [
    'an unknown actor',
    scenario('  - { as: amdin, call: listDeployments }'),
    /no actor amdin \(did you mean admin/,
  ],
  [
    'an unknown binding',
    step('    query: { x: "{deploymnt.id}" }'),
    /nothing here is called deploymnt \(did you mean deployment/,
  ],
  [
    'an unknown field of a binding',
    step('    query: { x: "{deployment.idd}" }'),
    /deployment has no field idd/,
  ],
  [
    'a step that does not come before',
    step('    query: { x: "{steps.two.status}" }'),
    /no step before this one is called two/,
  ],
  [
    'a silence under checks',
    step('    checks: { PAGE-7: { status: 200 } }'),
    /PAGE-7 is a silence: nobody fails on it/,
  ],
  [
    'a promise under observe',
    step('    observe: { PAGE-1: "{status}" }'),
    /PAGE-1 is documented: it belongs under checks/,
  ],
  [
    'an unobservable statement',
    step('    checks: { SVC-5: { status: 200 } }'),
    /SVC-5 is unobservable/,
  ],
  [
    'a choice that the silence does not have',
    step('    observe: { PAGE-7: { cases: { noen: { status: 200 } } } }'),
    /PAGE-7 has no choice noen \(did you mean none/,
  ],
  [
    'a misspelt path parameter',
    scenario('  - { as: admin, call: listVersions, path: { deployment_id: 1, deploymentId: 1 } }'),
    /no path parameter deploymentId/,
  ],
  [
    'an effect that is too small',
    scenario('  - { as: admin, call: updateFolder, path: { deploymentId: 1, folderId: 1 } }'),
    /effect is none, and the worst of the steps is reversible/,
  ],
  [
    'a step effect below the contract',
    scenario(
      '  - { as: admin, call: updateFolder, effect: none, path: { deploymentId: 1, folderId: 1 } }',
    ),
    /cannot be less than reversible/,
  ],
  [
    'eventually on a write',
    scenario(
      '  - { as: admin, call: updateFolder, path: { deploymentId: 1, folderId: 1 }, eventually: true }',
      'effect: reversible',
    ),
    /eventually is for reads only/,
  ],
  [
    'a write whose target is an answer',
    scenario(
      '  - { id: a, as: admin, call: listDeployments }\n  - { as: admin, call: updateFolder, path: { deploymentId: 1, folderId: "{steps.a.body.x}" } }',
      'effect: reversible',
    ),
    /must be known before the first call/,
  ],
  [
    'a secret outside the header',
    step('    query: { x: "{credentials.admin}" }'),
    /only the header of `as` can refer to a secret/,
  ],
  ['a credential over plain HTTP', step('    over: http'), /never sends a credential/],
  [
    'a span without a unit',
    step('    eventually: { within: 30 }'),
    /:7:27: expected a span such as 30s or 500ms: found 30/,
  ],
  [
    'a method that could change anything',
    step('    method: DELETE'),
    /effect is none, and the worst of the steps is permanent/,
  ],
  ['an alias', 'scenario: &a x\neffect: *a', /aliases are not part/],
  ['broken YAML', 'scenario: [', /:1:\d+: /],
];

test.each(refused)('the loader refuses %s', (_name, text, message) => {
  expect(() => loadScenario('x.yaml', text)).toThrow(message);
  expect(() => loadScenario('x.yaml', text)).toThrow(LoadError);
});

test('two scenarios cannot have one title', () => {
  const text = step('    checks: { PAGE-1: { status: 200 } }');
  const files = [
    { name: 'a.yaml', text },
    { name: 'b.yaml', text },
  ];
  expect(() => loadSuite(files)).toThrow(/b\.yaml:1:1: the title "A title" is taken by a\.yaml:1/);
});

test('the caller and the path parameters of a step may be left out', () => {
  const { steps, needs } = loadScenario(
    'x.yaml',
    scenario('  - { call: listVersions }\n  - { call: listScimUsers }'),
  );
  expect(steps.map(({ as, path }) => ({ as, path }))).toEqual([
    { as: 'admin', path: { deployment_id: '{deployment.id}' } },
    { as: 'scim', path: {} },
  ]);
  expect([...needs].sort()).toEqual(['admin', 'deployment.id', 'scim']);
});

test('calls of several operations become several steps; a call in forEach becomes an inner step', () => {
  const path = 'path: { deploymentId: 2, deployment_id: 3 }';
  const { steps } = loadScenario(
    'x.yaml',
    scenario(
      `  - { call: [listVersions, getDbtSyncResult], ${path} }\n  - { id: page, forEach: { size: [1, 2] }, call: listDeployments }`,
    ),
  );
  expect(steps.map(({ id, path }) => [id, path])).toEqual([
    ['listVersions', { deployment_id: 3 }],
    ['getDbtSyncResult', { deploymentId: 2, syncJobId: '{dbtSync.id}' }],
    ['step-3', {}],
  ]);
  expect(steps[2]?.steps.map(({ id }) => id)).toEqual(['page']);
});

test('the loader finds needs by itself, also in lists of actors', () => {
  const loaded = loadScenario(
    'x.yaml',
    scenario(`  - forEach: { who: [member, scim, none] }
    steps:
      - { as: "{who}", call: listVersions, path: { deployment_id: "{otherDeployment.id}" } }`),
  );
  expect([...loaded.needs].sort()).toEqual(['member', 'otherDeployment.id', 'scim']);
});

test('only a scenario that reads the content of an area needs it unchanged', () => {
  const readsOf = (step: string) => [...loadScenario('x.yaml', scenario(step)).reads];
  expect(readsOf('  - { call: listVersions, checks: { AUTH-1: 401 } }')).toEqual([]);
  expect(readsOf('  - { call: listVersions, capture: { all: "{body.data}" } }')).toEqual([
    'versions',
  ]);
});

/** The number of steps after which a scenario shares the staging area. */
const sharesAfter = (...steps: readonly string[]): number => {
  const text = `scenario: S\nas: admin\nsteps:\n${steps.map((step) => `  - ${step}`).join('\n')}\n`;
  return loadScenario('scenarios/test/s.yaml', text).writesUntil;
};
const on = 'call: setStagingEnvironment, body: { branchName: shared, enabled: true }';
const watch = '{ id: watch, call: listEnvironments, stays: true }';

test('a scenario shares its area once it only reads and sends refused writes', () => {
  expect(sharesAfter(`{ id: "on", ${on}, checks: { STAGE-1: 200 } }`, watch)).toBe(1);
  expect(sharesAfter(`{ id: "on", as: none, ${on}, checks: { AUTH-1: 401 } }`, watch)).toBe(0);
  expect(sharesAfter(`{ id: "on", as: none, ${on}, expect: { status: [401, refused] } }`)).toBe(0);
  // The write may succeed: its check has a condition, or the status allows success.
  const only = 'checks: { AUTH-1: { status: 401, only: { media: application/json } } }';
  expect(sharesAfter(`{ id: "on", as: none, ${on}, ${only} }`)).toBe(1);
  expect(sharesAfter(`{ id: "on", as: none, ${on}, expect: { status: [2xx, refused] } }`)).toBe(1);
});

test('an area is shared only after a change shows', () => {
  const shows = '{ id: shows, call: listEnvironments, appears within: 30s }';
  expect(sharesAfter(`{ id: "on", ${on} }`, shows, watch)).toBe(2);
  expect(sharesAfter(`{ id: "on", as: none, ${on}, expect: refused }`, shows, watch)).toBe(0);
});

test('an area is not shared if a write names its object in a second way', () => {
  const byId = 'call: setStagingEnvironment, body: { branchId: 102, enabled: true }';
  expect(sharesAfter(`{ id: "on", as: none, ${byId}, checks: { AUTH-1: 401 } }`, watch)).toBe(1);
});
