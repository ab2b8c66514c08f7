import type { ICruiseOptions, IForbiddenRuleType } from 'dependency-cruiser';

/**
 * Who may import whom. `npm run house` measures it, `bin/house.test.ts` holds it.
 *
 * Rooms from the top to the ground: a room imports only rooms that stand below it in this list.
 */
const rooms: readonly string[] = [
  'bin',
  'bin/compare',
  'reports/html',
  'reports/nights',
  'reports/diff',
  'reports',
  'reports/tables',
  'conformance/areas',
  'conformance/commands',
  'conformance/gate',
  'conformance/explore',
  'conformance/run',
  'conformance/safety',
  'conformance/target',
  'conformance/language',
  'conformance/answers',
  'conformance/compare',
  'conformance/judge',
  'mock/bench',
  'mock/cli',
  'mock/kits',
  'mock/service',
  'mock/areas',
  'mock/transport',
  'mock/control',
  'mock/control/docs',
  'mock/control/console',
  'mock/deviations',
  'mock/pipeline',
  'fixtures',
  'mock/world',
  'spec',
  'spec/base',
];

/** The islands: neither knows the other, because a shared oracle hides shared mistakes. */
const islands = [
  { name: 'mock-knows-no-conformance', from: '^(mock|fixtures)/', to: '^(conformance|reports)/' },
  { name: 'conformance-knows-no-mock', from: '^conformance/', to: '^(mock|fixtures|reports)/' },
  { name: 'reports-knows-no-mock', from: '^reports/', to: '^(mock|fixtures)/' },
];

/** Matches a room's own files, not those of a room inside it. Areas are rooms of one kind. */
const inside = (room: string): string =>
  room.endsWith('/areas') ? `^${room}/` : `^${room}/[^/]+$`;

/** The rules, as dependency-cruiser takes them. */
export const rules: { forbidden: IForbiddenRuleType[]; options: ICruiseOptions } = {
  forbidden: [
    { name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
    ...islands.map(
      ({ name, from, to }): IForbiddenRuleType => ({
        name,
        severity: 'error',
        from: { path: from },
        to: { path: to },
      }),
    ),
    ...rooms.slice(1).map(
      (room, index): IForbiddenRuleType => ({
        name: `down-only-from-${room.replaceAll('/', '-')}`,
        severity: 'error',
        from: { path: inside(room) },
        to: { path: rooms.slice(0, index + 1).map(inside) },
      }),
    ),
    {
      name: 'areas-are-neighbours',
      comment: 'An area does not import another area.',
      severity: 'error',
      from: { path: '^(mock|conformance)/areas/([^/]+)/' },
      to: { path: '^$1/areas/([^/]+)/', pathNot: '^$1/areas/$2/' },
    },
  ],
  options: {
    // The import of a type is an import.
    tsPreCompilationDeps: true,
    includeOnly: '^(bin|spec|mock|conformance|fixtures|reports)/',
    exclude: '(^reports/out/|[.]json$|[.]test[.]ts$|[.]test-d[.]ts$|/testing/|/examples/)',
    doNotFollow: 'node_modules',
  },
};
