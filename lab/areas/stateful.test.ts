/** Each hand-written deviation of lists, staging, versions and credentials takes effect, and only where it says. */
import { describe, expect, test } from 'vitest';
import { createService } from '../../mock/kits/index.ts';
import type { ServiceEvent } from '../../mock/world/service-event.ts';
import { emit } from '../../mock/world/world-clock.ts';
import type { Deviation } from '../deviations/rows.ts';
import { byArea } from './catalogue.ts';

type Step =
  | { readonly event: ServiceEvent }
  | { readonly seconds: number }
  | {
      readonly as?: string | null;
      /** Whole header; `TOKEN` stands for the metadata token of the call before. */
      readonly header?: string;
      readonly method?: string;
      readonly path: string;
      readonly body?: unknown;
      /** Over plain HTTP, to an address that serves HTTPS. */
      readonly plain?: true;
    };

const deployments = '/api/v1/deployments';
const one = `${deployments}/1`;
const two = `${deployments}/2`;
const get = (path: string, as: string | null = 'admin'): Step => ({ as, path });
const put = (path: string, body: unknown, as: string | null = 'admin'): Step => ({
  as,
  method: 'PUT',
  path,
  body,
});
const toggle = (body: unknown, as = 'admin', deployment = 1): Step =>
  put(`/build${deployments}/${deployment}/branches/staging-environment`, body, as);
const environments = get(`${one}/environments`);
const stagingOnly = get(`${one}/environments?type=staging`);
const branches = get('/build/api/v1/deployments/1/branches');
const listed = [environments, stagingOnly, branches];
const on = toggle({ branchName: 'feature-orders', enabled: true });
const off = toggle({ branchName: 'feature-orders', enabled: false });
const onById = toggle({ branchId: 102, enabled: true });
const offById = toggle({ branchId: 102, enabled: false });

/** What shows the deviations of an area, where the table below does not say otherwise. */
const usual: Readonly<Record<string, readonly Step[]>> = {
  lists: [
    ...[
      '',
      '?offset=1',
      '?limit=2',
      '?offset=2&limit=2',
      '?limit=1',
      '?offset=3&limit=1',
      '?offset=2&limit=3',
    ],
    ...['?type=production', '?type=staging', '?type=staging&offset=1', '?type=staging&limit=1'],
    ...[
      '?type=development',
      '?type=development&offset=1',
      '?type=development',
      '?limit=2&offset=2',
    ],
  ].flatMap((query) => [
    get(`${one}/environments${query}`),
    ...(query.includes('type')
      ? []
      : ['admin', 'scoped', 'oauth'].map((as) => get(`${deployments}${query}`, as))),
  ]),
  staging: [
    ...listed,
    ...[on, offById, onById, off].flatMap((step) => [step, ...listed, get(`${two}/environments`)]),
    on,
    toggle({ branchName: 'dev-ana', enabled: true }),
    toggle({ branchName: 'main', enabled: true }),
    toggle({ branchId: 104, enabled: true }),
    toggle({ branchId: 101, enabled: true }),
    branches,
    toggle({ enabled: false }),
    ...listed,
    toggle({ branchName: 'feature-orders', enabled: true }),
    toggle({ branchId: 102, enabled: false }, 'admin', 2),
    ...listed,
    off,
    toggle({ branchName: 'feature-orders' }),
    ...listed,
    toggle({ branchName: 'feature-orders', enabled: 'false' }),
    ...listed,
  ],
  versions: [
    ...['1.6.3', 'v1.6.1', 'registry.example.com/runtime:v1.6.3', '1.5.9', '1.6.1'].flatMap(
      (text) => [
        put(one, { releaseChannelVersion: text }),
        get(`${one}/versions`),
        get(`${two}/versions`),
      ],
    ),
    ...['latest', 'preview', 'latest'].flatMap((channel) => [
      put(one, { releaseChannel: channel }),
      get(`${one}/versions`),
    ]),
    put(one, { releaseChannelVersion: '1.6.1' }),
    ...[
      '1.6.3999',
      'v9.9.9',
      'registry.example.com/runtime:v9.9.9',
      '9.9.9',
      'a/b:v1.6.3',
      'xregistry.example.com/runtime:v1.6.3',
    ].flatMap((text) => [put(one, { releaseChannelVersion: text }), get(`${one}/versions`)]),
  ],
  credentials: credentialSteps(),
};

function credentialSteps(): Step[] {
  const reads = [
    `${one}/environments`,
    `${two}/environments`,
    '/build/api/v1/deployments/2/branches',
  ];
  const folder = (deployment: string, id: number, name: string, as: string) =>
    put(`${deployment}/folders/${id}`, { name }, as);
  const users = '/api/scim/v2/Users?count=1';
  const headers = [
    'w-admin',
    'Bearer',
    'Basic w-admin',
    'Bearer w-admin w-admin',
    'Bearer "w-admin"',
  ];
  const token: Step = {
    method: 'POST',
    path: `${one}/environments/201/tokens-for-meta-sync`,
    body: { security_context: { tenant: 1 } },
  };
  const withToken = (step: Step): Step => ({ ...step, header: 'Bearer TOKEN' });
  return [
    ...['expired', 'expired', 'scoped', 'scoped', 'admin'].flatMap((as) =>
      reads.map((path) => get(path, as)),
    ),
    ...['expired', 'expired', 'scoped', 'member'].flatMap((as) => [
      folder(two, 21, 'Elsewhere', as),
      folder(one, 12, 'Here', as),
      put(two, { releaseChannelVersion: '1.6.1' }, as),
      get(`${two}/versions`),
    ]),
    put(`${two}/folders/21`, {}),
    get(`${deployments}/45/versions`),
    ...headers.flatMap((header) => [
      { header, path: `${one}/versions` },
      { header, path: `${one}/versions` },
    ]),
    get(`${one}/versions`, null),
    get(`${one}/versions`, null),
    { header: 'Api-Key w-scim', path: users },
    { header: 'Api-Key w-scim', path: users },
    token,
    ...[get(deployments), get(deployments), branches, get(users), off].map(withToken),
    ...['embed', 'expired'].flatMap((as) => [
      toggle({ branchName: 'feature-orders', enabled: true }, as),
      stagingOnly,
      off,
    ]),
  ];
}

/** Sequences of the deviations that the usual one does not show. */
const shownBy: Readonly<Record<string, readonly Step[]>> = {
  'lists:deployments-last-item-lost': [get(`${deployments}?offset=40`)],
  'lists:invalid-parameters-fail': [get(`${deployments}?limit=x`)],
  'lists:filter-keeps-one': [on, stagingOnly],
  'credentials:plain-http-served': [{ path: deployments, plain: true }],
  'staging:refusal-enables-another': [toggle({ branchName: 'dev-ana', enabled: true }), ...listed],
  'versions:switch-undone-once-seen': [
    put(one, { releaseChannelVersion: '1.6.3' }),
    get(`${one}/versions`),
    get(`${one}/versions`),
  ],
  'staging:gone-after-five-seconds': [on, ...listed, { seconds: 6 }, ...listed],
  'staging:refusal-enables-another-later': [
    toggle({ branchName: 'dev-ana', enabled: true }),
    ...listed,
    { seconds: 5 },
    ...listed,
  ],
  'credentials:scope-of-equal-beginnings': [get(`${deployments}/10/versions`, 'scoped')],
  'credentials:scope-closes-the-next-only': [get(`${deployments}/3/versions`, 'scoped')],
  'staging:by-id-hits-another': [offById, onById, offById, ...listed],
};

const service = await createService();

interface Run {
  readonly answers: readonly string[];
  readonly effects: number;
}

async function run(steps: readonly Step[], deviation?: Deviation): Promise<Run> {
  const world = await service.createWorld({ id: 'w', clock: '2026-01-01T12:00:00.000Z', seed: 7 });
  try {
    if (deviation !== undefined) world.deviations.set([deviation]);
    const answers: string[] = [];
    let token = '';
    for (const step of steps) {
      if ('event' in step) {
        emit(world, step.event);
        continue;
      }
      if ('seconds' in step) {
        world.clock.set(world.clock.now() + step.seconds * 1000);
        continue;
      }
      const { as = 'admin', header, method = 'GET', path, body, plain } = step;
      const authorization =
        header?.replace('TOKEN', token) ?? (as === null ? undefined : `Bearer w-${as}`);
      const response = await service.handle({
        method,
        target: `/w/w${path}`,
        headers: { 'content-type': 'application/json', authorization },
        body: body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body)),
        ...(plain === true ? { plain } : {}),
      });
      const text = typeof response.body === 'string' ? response.body : '';
      token = /"token":"([^"]+)"/.exec(text)?.[1] ?? token;
      answers.push(`${response.status} ${text}`);
    }
    const [active] = world.deviations.list();
    return { answers, effects: active?.effects ?? 0 };
  } finally {
    service.deleteWorld(world);
  }
}

/** One honest read or write of each operation, whose answers depend on no other's. */
const unrelated: Readonly<Record<string, Step>> = {
  listDeployments: get(`${deployments}?limit=2`),
  listEnvironments: get(`${one}/environments?limit=1`),
  listBranches: branches,
  listVersions: get(`${one}/versions`),
  getDbtSyncResult: get(`${one}/dbt-sync/sync-completed/result`),
  updateFolder: put(`${one}/folders/11`, {}),
  listScimUsers: get('/api/scim/v2/Users?count=2', 'scim'),
};

const { lists, staging, versions, credentials } = byArea;
const catalogues = { lists, staging, versions, credentials };

for (const [area, deviations] of Object.entries(catalogues)) {
  describe(area, () => {
    const shown = deviations.filter(({ foundBy }) => foundBy === undefined);
    test.for(shown.map((deviation) => ({ id: deviation.id, deviation })))(
      '$id takes effect, and shows',
      async ({ id, deviation }) => {
        const steps = shownBy[id] ?? usual[area] ?? [];
        const honest = await run(steps);
        const wrong = await run(steps, deviation);
        expect(wrong.effects).toBeGreaterThan(0);
        expect(wrong.answers).not.toEqual(honest.answers);
        // One deviation answers 500 on purpose. Any other 500 is a crash.
        const crashes = wrong.answers.filter((answer) => answer.startsWith('500'));
        if (!id.endsWith('invalid-parameters-fail')) expect(crashes).toEqual([]);
      },
    );

    test.for(deviations.map((deviation) => ({ id: deviation.id, deviation })))(
      '$id leaves other operations alone',
      async ({ deviation }) => {
        const steps = Object.entries(unrelated).flatMap(([operation, step]) =>
          deviation.operations.some((id) => id === operation) ? [] : [step],
        );
        const honest = await run(steps);
        const wrong = await run(steps, deviation);
        expect(wrong).toEqual({ ...honest, effects: 0 });
      },
    );
  });
}

test('without a deviation every sequence answers the same twice', async () => {
  for (const steps of Object.values(usual)) expect(await run(steps)).toEqual(await run(steps));
});
