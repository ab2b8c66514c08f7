import type {
  ICruiseOptions,
  IForbiddenRuleType,
  IRegularForbiddenRuleType,
} from 'dependency-cruiser';

/**
 * The rules of imports. `npm run house` measures them, `lab/house/house.test.ts` holds them.
 *
 * A room imports only rooms below it in this list. The rooms of the lab are not in it: they may
 * import every room but `bin/`, and each other without a cycle.
 */
const rooms: readonly string[] = [
  'bin',
  'bin/compare',
  'bin/help',
  'bin/client',
  'bin/options',
  'bin/traffic',
  'reports/html',
  'reports/nights',
  'reports/diff',
  'reports',
  'conformance/areas',
  'conformance/commands',
  'conformance/watch/capture',
  'conformance/gate',
  'conformance/run',
  'conformance/safety',
  'conformance/watch',
  'conformance/target',
  'conformance/vary',
  'conformance/language',
  'conformance/answers',
  'conformance/compare',
  'conformance/judge',
  'mock/cli',
  'mock/kits',
  'mock/service',
  'mock/areas',
  'mock/transport',
  'mock/control',
  'mock/control/docs',
  'mock/control/console',
  'mock/pipeline',
  'fixtures',
  'mock/world',
  'spec',
  'spec/base',
];

/** The islands never import each other, because shared code would give both the same bugs. */
const islands = [
  { name: 'mock-knows-no-conformance', from: '^(mock|fixtures)/', to: '^(conformance|reports)/' },
  { name: 'conformance-knows-no-mock', from: '^conformance/', to: '^(mock|fixtures|reports)/' },
  { name: 'reports-knows-no-mock', from: '^reports/', to: '^(mock|fixtures)/' },
];

/** The one product file that may reach the lab: it loads the catalogue of deviations on demand. */
const catalogueLoader = '^mock/kits/index[.]ts$';

/** Matches a room's own files, not those of a room inside it. Areas are rooms of one kind. */
const inside = (room: string): string =>
  room.endsWith('/areas') ? `^${room}/` : `^${room}/[^/]+$`;

type Rule = IRegularForbiddenRuleType;
const ban = (name: string, from: Rule['from'], to: Rule['to']): Rule => {
  return { name, severity: 'error', from, to };
};

/** The rules in the form that dependency-cruiser reads. */
export const rules: { forbidden: IForbiddenRuleType[]; options: ICruiseOptions } = {
  forbidden: [
    ban('no-circle', {}, { circular: true }),
    ...islands.map(({ name, from, to }) => ban(name, { path: from }, { path: to })),
    ...rooms.slice(1).map((room, index) => {
      const above = rooms.slice(0, index + 1).map(inside);
      return ban(
        `down-only-from-${room.replaceAll('/', '-')}`,
        { path: inside(room) },
        { path: above },
      );
    }),
    // The product does not import the lab. Only `bin/` imports both.
    ban(
      'product-knows-no-lab',
      { path: '^(spec|mock|conformance|fixtures|reports)/', pathNot: catalogueLoader },
      { path: '^lab/' },
    ),
    ban('lab-is-composed-by-bin', { path: '^lab/' }, { path: '^bin/' }),
    // A run only records. It may ask which checks have failed so far, but makes no verdict.
    ban(
      'run-makes-no-verdict',
      { path: '^conformance/run/' },
      { path: '^conformance/judge/(judge|verdict|assemble-report)[.]ts$' },
    ),
    // An area does not import another area.
    ban(
      'areas-are-neighbours',
      { path: '^(mock|conformance)/areas/([^/]+)/' },
      { path: '^$1/areas/([^/]+)/', pathNot: '^$1/areas/$2/' },
    ),
  ],
  options: {
    // The import of a type is an import.
    tsPreCompilationDeps: true,
    includeOnly: '^(bin|spec|mock|conformance|fixtures|reports|lab)/',
    exclude: '(^reports/out/|[.]json$|[.]test[.]ts$|[.]test-d[.]ts$|/testing/|/examples/)',
    doNotFollow: 'node_modules',
  },
};
