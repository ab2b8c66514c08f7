/** Variants of identifiers: the description does not show their kind or size. */
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { changeAt, pathOf } from '../../deviations/places.ts';
import { otherCall } from '../../deviations/wire.ts';
import { each, isCall, type Variant } from '../variant.ts';

/** The places of one kind of identifier. */
interface Places {
  /** In answers, by operation. */
  readonly answers: Readonly<Record<string, readonly string[]>>;
  /** Parameters of paths. */
  readonly path?: readonly string[];
  /** Fields of request bodies. */
  readonly sent?: readonly string[];
  /** Values at these places that are not such identifiers, and stay. */
  readonly notThese?: RegExp;
  /** Bindings whose `id` is such an identifier. */
  readonly bound?: readonly string[];
  /** Silences about this kind alone. */
  readonly further?: readonly string[];
}

const texts: Readonly<Record<string, Places>> = {
  deployment: {
    answers: { listDeployments: ['data.deployments.*.id'] },
    path: ['deployment_id'],
    bound: ['deployment', 'otherDeployment'],
    further: ['DEPL-7'],
  },
  environment: {
    answers: { listEnvironments: ['data.environments.*.id'] },
    path: ['environment_id'],
    bound: ['environment', 'foreignEnvironment'],
  },
  'sync job': {
    answers: { getDbtSyncResult: ['syncJobId'] },
    path: ['syncJobId'],
    bound: ['dbtSync', 'runningDbtSync', 'failedDbtSync'],
  },
  channel: {
    answers: { listVersions: ['data.*.releaseChannel'] },
    sent: ['releaseChannel'],
    further: ['VER-15'],
  },
  'SCIM user': { answers: { listScimUsers: ['Resources.*.id'] } },
};
const images: Readonly<Record<string, Places>> = {
  image: {
    answers: { listVersions: ['data.*.releaseChannelVersion'] },
    sent: ['releaseChannelVersion'],
    notThese: /^v?\d+\.\d+\.\d+$/,
  },
};
const numbers: Readonly<Record<string, Places>> = {
  branch: {
    answers: {
      // In each shape of BRANCH-1.
      listBranches: ['data.*.id', 'items.*.id', 'data.branches.*.id', '*.id'],
      setStagingEnvironment: ['data.id'],
    },
    sent: ['branchId'],
    bound: ['sharedBranch', 'productionBranch', 'personalBranch'],
  },
  folder: {
    answers: { updateFolder: ['id', 'parentId', 'folderPath.*.id'] },
    path: ['folderId'],
    bound: ['folder', 'nestedFolder', 'lockedFolder', 'foreignFolder'],
  },
  notification: { answers: {}, path: ['id'], bound: ['notification', 'foreignNotification'] },
  'embed user': {
    answers: {
      addNotificationRecipients: ['created', 'updated', 'unchanged'].map(
        (list) => `${list}Recipients.*.embedUserId`,
      ),
    },
  },
};

/** Converts an identifier to another form and back; undefined if the tenant never gave it. */
interface Form<Id> {
  readonly to: (id: Id) => Id;
  readonly from: (id: Id) => Id | undefined;
}
const framed = (before: string, after = ''): Form<string> => ({
  to: (id) => `${before}${id}${after}`,
  from: (id) =>
    id.startsWith(before) && id.endsWith(after)
      ? id.slice(before.length, id.length - after.length)
      : undefined,
});
const shifted = (by: number): Form<number> => ({ to: (id) => id + by, from: (id) => id - by });

const forms = {
  text: {
    prefixed: framed('dep_'),
    'like a UUID': framed('0198c0de-0000-7000-8000-00000000'),
    long: framed('x'.repeat(180)),
    'signs that a path must escape': framed('a b/ü?', '#%25'),
    'with dots and tildes': framed('v1.~', ':0'),
    'in capitals': framed('ID-', '-Z'),
    'like an email': framed('', '@ids.example'),
    'a number with zeros': framed('000'),
  },
  // An image must end with a colon, `v` and its version.
  image: {
    'with a port': framed('[2001:db8::1]:5000/a/'),
    'with a long path': framed(`mirror.example/${'deep/'.repeat(30)}`),
  },
  number: {
    'of 13 digits': shifted(1_700_000_000_000),
    'of 16 digits': shifted(9_000_000_000_000_000),
  },
};

/** An id that no object has. */
const NEVER = 999_999_998;

const renamed = <Id extends string | number>(
  kinds: Readonly<Record<string, Places>>,
  type: 'string' | 'number',
  ways: Readonly<Record<string, Form<Id>>>,
): Variant[] =>
  Object.entries(kinds).flatMap(
    ([kind, { answers, path = [], sent = [], notThese, bound = [], further }]) => {
      const isOwn = (value: unknown): value is Id =>
        typeof value === type && !notThese?.test(String(value));
      const ground = ['SVC-18', ...(further ?? [])].join(', ');
      const about = { rule: `ids:${kind}`, on: 'mock', ground } as const;
      return each(about, ways, ({ to, from }) => {
        const told = (value: unknown): unknown => (isOwn(value) ? to(value) : undefined);
        const known = (value: Id): unknown => from(value) ?? NEVER;
        return {
          bindings: (bindings) =>
            bound.reduce(
              (made, name) => changeAt(made, [name], (value) => withId(value, told)),
              bindings as unknown,
            ) as typeof bindings,
          does: () => async (asked, next) => {
            if (!isCall(asked)) return next(asked);
            const places = path.flatMap((name): [string, string][] => {
              const value = asked.path[name];
              if (value === undefined) return [];
              return [[name, String(known((type === 'number' ? Number(value) : value) as Id))]];
            });
            const fields = sent.flatMap((name): [string, unknown][] => {
              const value = asked.body[name];
              return isOwn(value) ? [[name, known(value)]] : [];
            });
            const other = otherCall(asked, {
              ...(places.length > 0 && { path: { ...asked.path, ...Object.fromEntries(places) } }),
              ...(fields.length > 0 && { body: { ...asked.body, ...Object.fromEntries(fields) } }),
            });
            const isSame = places.length + fields.length === 0;
            const reply = await next(isSame ? asked : { ...other, method: asked.method });
            const named = answers[asked.operation.id] ?? [];
            const body = named.reduce(
              (made: unknown, place) => changeAt(made, pathOf(place), told),
              reply.body,
            );
            return { ...reply, body };
          },
        };
      });
    },
  );

/** Replaces the id of a binding. If the new id is a number, paths use that number too. */
function withId(bound: unknown, told: (id: unknown) => unknown): unknown {
  if (!isObject(bound)) return undefined;
  const id = told(bound.id);
  const own: JsonObject = typeof id === 'number' ? { id, numericId: id } : { id };
  return { ...bound, ...own };
}

export const identifierVariants: readonly Variant[] = [
  ...renamed(texts, 'string', forms.text),
  ...renamed(images, 'string', forms.image),
  ...renamed(numbers, 'number', forms.number),
];
