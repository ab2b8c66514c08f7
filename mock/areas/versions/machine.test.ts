import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareVersions, type DeploymentRow, type ReleaseRow } from '../../world/rows.ts';
import {
  type Catalogue,
  channelHead,
  findVersion,
  fullSpelling,
  listedVersions,
  releaseKey,
  switchVersion,
} from './machine.ts';

const acme: Catalogue = {
  imageRepository: 'registry.example.com/runtime',
  channels: [
    { name: 'latest', head: '1.6.3' },
    { name: 'preview', head: '1.7.0' },
  ],
  ran: [
    { channel: 'latest', version: '1.5.9' },
    { channel: 'latest', version: '1.6.1' },
    { channel: 'latest', version: '1.6.3' },
  ],
};
const deploymentOn = (runs: string): DeploymentRow => ({
  id: '1',
  name: 'Sales',
  createdAt: '2026-01-01T00:00:00.000Z',
  runs,
  before: null,
});
/** As a table does it: a channel keeps its place. */
const publish = (catalogue: Catalogue, channel: string, head: string): Catalogue => {
  const rows = [...catalogue.channels, { name: channel, head }];
  return { ...catalogue, channels: [...new Map(rows.map((row) => [row.name, row])).values()] };
};
const keys = (catalogue: Catalogue) => listedVersions(catalogue).map(releaseKey);

describe('the versions list', () => {
  test('heads and versions run before: by channel, newest first, each once', () => {
    expect(listedVersions(acme)).toEqual([
      { channel: 'latest', version: '1.6.3', isLatestInChannel: true },
      { channel: 'latest', version: '1.6.1', isLatestInChannel: false },
      { channel: 'latest', version: '1.5.9', isLatestInChannel: false },
      { channel: 'preview', version: '1.7.0', isLatestInChannel: true },
    ]);
  });

  test.for([
    ['preview', '1.8.0', ['latest@1.6.3', 'latest@1.6.1', 'latest@1.5.9', 'preview@1.8.0']],
    [
      'latest',
      '1.6.4',
      ['latest@1.6.4', 'latest@1.6.3', 'latest@1.6.1', 'latest@1.5.9', 'preview@1.7.0'],
    ],
    [
      'nightly',
      '2.0.0',
      ['latest@1.6.3', 'latest@1.6.1', 'latest@1.5.9', 'preview@1.7.0', 'nightly@2.0.0'],
    ],
  ] as const)('publishing %s %s leaves %j', ([channel, head, left]) => {
    expect(keys(publish(acme, channel, head))).toEqual(left);
  });

  test.for([
    ['1.10.0', '1.9.0', 1],
    ['1.9.0', '1.10.0', -1],
    ['2.0.0', '1.99.99', 1],
    ['1.2.3', '1.2.3', 0],
    ['1.2.10', '1.2.9', 1],
  ] as const)('%s against %s: %i', ([a, b, sign]) => {
    expect(Math.sign(compareVersions(a, b))).toBe(sign);
  });
});

describe('sent version x release of the deployment', () => {
  test.for([
    ['1.6.3', 'latest@1.6.3'],
    ['v1.6.3', 'latest@1.6.3'],
    ['registry.example.com/runtime:v1.6.3', 'latest@1.6.3'],
    ['1.7.0', 'preview@1.7.0'],
    ['registry.example.com/runtime:1.6.3', undefined],
    ['other.example.com/runtime:v1.6.3', undefined],
    ['runtime:v1.6.3', undefined],
    ['vv1.6.3', undefined],
    ['V1.6.3', undefined],
    ['1.6', undefined],
    ['01.6.3', undefined],
    ['1.6.3 ', undefined],
    ['', undefined],
    ['1.6.2', undefined],
  ] as const)('%j: %s', ([spelling, key]) => {
    const found = findVersion(acme, spelling, 'latest');
    expect(found === undefined ? undefined : releaseKey(found)).toBe(key);
  });

  test('a version of two channels is taken from the one that the deployment is on', () => {
    const both = publish(acme, 'preview', '1.6.3');
    expect(findVersion(both, '1.6.3', 'preview')?.channel).toBe('preview');
    expect(findVersion(both, '1.6.3', 'latest')?.channel).toBe('latest');
    expect(findVersion(both, '1.6.3', 'nightly')).toBeDefined();
  });

  test.for([
    ['latest', 'latest@1.6.3'],
    ['preview', 'preview@1.7.0'],
    ['nightly', undefined],
    ['', undefined],
  ] as const)('the channel %j alone: %s', ([channel, key]) => {
    const head = channelHead(acme, channel);
    expect(head === undefined ? undefined : releaseKey(head)).toBe(key);
  });
});

describe('a switch', () => {
  test('a switch remembers the release that the deployment ran', () => {
    const to = { channel: 'preview', version: '1.7.0' };
    expect(switchVersion(deploymentOn('latest@1.6.1'), to, 5)).toMatchObject({
      runs: 'preview@1.7.0',
      before: { runs: 'latest@1.6.1', since: 5 },
    });
  });

  test('an update to the running release is not a switch', () => {
    const deployment = deploymentOn('latest@1.6.1');
    expect(switchVersion(deployment, { channel: 'latest', version: '1.6.1' }, 5)).toBe(deployment);
  });
});

// A failing property names the seed and path that replay it.
describe('any versions published and run, in any order', () => {
  const number = fc.nat({ max: 12 });
  const version = fc.tuple(number, number, number).map((parts) => parts.join('.'));
  const channel = fc.constantFrom('latest', 'preview', 'nightly');
  const release: fc.Arbitrary<ReleaseRow> = fc.record({ channel, version });
  const catalogue: fc.Arbitrary<Catalogue> = fc.record({
    imageRepository: fc.constant('registry.example.com/runtime'),
    channels: fc.uniqueArray(fc.record({ name: channel, head: version }), {
      minLength: 1,
      selector: ({ name }) => name,
    }),
    ran: fc.array(release),
  });

  test('the head of each channel is listed, and nothing else is a head', () => {
    fc.assert(
      fc.property(catalogue, (any) => {
        const heads = listedVersions(any).filter((item) => item.isLatestInChannel);
        expect(new Set(heads.map(releaseKey))).toEqual(
          new Set(any.channels.map(({ name, head }) => `${name}@${head}`)),
        );
      }),
    );
  });

  test('the list has the heads and the run versions, each once', () => {
    fc.assert(
      fc.property(catalogue, (any) => {
        const listed = keys(any);
        expect(new Set(listed).size).toBe(listed.length);
        expect(new Set(listed)).toEqual(
          new Set([
            ...any.channels.map(({ name, head }) => `${name}@${head}`),
            ...any.ran.map(releaseKey),
          ]),
        );
      }),
    );
  });

  test('after a switch to a listed version exactly one is current', () => {
    fc.assert(
      fc.property(catalogue, fc.nat(), (any, pick) => {
        const listed = listedVersions(any);
        const to = listed[pick % listed.length];
        if (to === undefined) throw new Error('a catalogue with a channel lists something');
        const { runs } = switchVersion(deploymentOn('latest@0.0.0'), to, 1);
        const after = { ...any, ran: [...any.ran, { channel: to.channel, version: to.version }] };
        expect(keys(after).filter((key) => key === runs)).toHaveLength(1);
      }),
    );
  });

  test('the three spellings agree', () => {
    fc.assert(
      fc.property(catalogue, channel, (any, on) => {
        for (const item of listedVersions(any)) {
          const [plain, short, full] = [
            item.version,
            `v${item.version}`,
            fullSpelling(any, item),
          ].map((spelling) => findVersion(any, spelling, on));
          expect(plain?.version).toBe(item.version);
          expect(short).toEqual(plain);
          expect(full).toEqual(plain);
        }
      }),
    );
  });

  test('publishing drops the old head unless it was run', () => {
    fc.assert(
      fc.property(catalogue, version, (any, head) => {
        const old = any.channels[0];
        if (old === undefined || old.head === head) return;
        const after = keys(publish(any, old.name, head));
        const oldKey = `${old.name}@${old.head}`;
        expect(after).toContain(`${old.name}@${head}`);
        expect(after.includes(oldKey)).toBe(any.ran.map(releaseKey).includes(oldKey));
      }),
    );
  });

  test('comparing versions is an order', () => {
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        expect(Math.sign(compareVersions(a, b))).toBe(0 - Math.sign(compareVersions(b, a)));
        if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0) {
          expect(compareVersions(a, c)).toBeLessThanOrEqual(0);
        }
      }),
    );
  });
});
