/** Identifiers of another kind or size: their shape is not shown. */
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { changeAt, pathOf } from '../../deviations/places.ts';
import { otherCall } from '../../deviations/wire.ts';
import { isCall, type Operator, type Variant } from '../variant.ts';

/** Where identifiers of one kind stand. */
interface Places {
  readonly answers: readonly (readonly [operation: string, place: string])[];
  /** Parameters of paths. */
  readonly path: readonly string[];
  /** Fields of request bodies. */
  readonly sent: readonly string[];
  /** Names of bindings, with the field that holds the identifier. */
  readonly bound: Readonly<Record<string, string>>;
  /** What is sent there and is not such an identifier. */
  readonly notThese?: RegExp;
}

const texts: Readonly<Record<string, Places>> = {
  deployment: {
    answers: [['listDeployments', 'data.deployments.*.id']],
    path: ['deployment_id'],
    sent: [],
    bound: { deployment: 'id', otherDeployment: 'id' },
  },
  environment: {
    answers: [['listEnvironments', 'data.environments.*.id']],
    path: ['environment_id'],
    sent: [],
    bound: { environment: 'id', foreignEnvironment: 'id' },
  },
  'sync job': {
    answers: [['getDbtSyncResult', 'syncJobId']],
    path: ['syncJobId'],
    sent: [],
    bound: { dbtSync: 'id', runningDbtSync: 'id', failedDbtSync: 'id' },
  },
  channel: {
    answers: [['listVersions', 'data.*.releaseChannel']],
    path: [],
    sent: ['releaseChannel'],
    bound: {},
  },
  image: {
    answers: [['listVersions', 'data.*.releaseChannelVersion']],
    path: [],
    sent: ['releaseChannelVersion'],
    bound: {},
    notThese: /^v?\d+\.\d+\.\d+$/,
  },
  'SCIM user': { answers: [['listScimUsers', 'Resources.*.id']], path: [], sent: [], bound: {} },
};

const numbers: Readonly<Record<string, Places>> = {
  branch: {
    answers: [
      ['listBranches', 'data.*.id'],
      ['setStagingEnvironment', 'data.id'],
    ],
    path: [],
    sent: ['branchId'],
    bound: { sharedBranch: 'id', productionBranch: 'id', personalBranch: 'id' },
  },
  folder: {
    answers: [
      ['updateFolder', 'id'],
      ['updateFolder', 'parentId'],
      ['updateFolder', 'folderPath.*.id'],
    ],
    path: ['folderId'],
    sent: [],
    bound: { folder: 'id', nestedFolder: 'id', lockedFolder: 'id', foreignFolder: 'id' },
  },
  notification: {
    answers: [],
    path: ['id'],
    sent: [],
    bound: { notification: 'id', foreignNotification: 'id' },
  },
  'embed user': {
    answers: ['created', 'updated', 'unchanged'].map(
      (list) => ['addNotificationRecipients', `${list}Recipients.*.embedUserId`] as const,
    ),
    path: [],
    sent: [],
    bound: {},
  },
};

/** Another form of an identifier, and back; undefined for one that the tenant never gave. */
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
const hex: Form<string> = {
  to: (id) =>
    `0198c0de-${Buffer.from(id)
      .toString('hex')
      .padStart(36, '0')
      .replace(/^(.{4})(.{4})(.{4})/, '$1-$2-$3-')}`,
  from: (id) => {
    const digits = id.startsWith('0198c0de-')
      ? id
          .slice(9)
          .replaceAll('-', '')
          .replace(/^(00)+/, '')
      : '';
    return digits === '' ? undefined : Buffer.from(digits, 'hex').toString();
  },
};
const textForms: Readonly<Record<string, Form<string>>> = {
  prefixed: framed('dep_'),
  'like a UUID': hex,
  long: framed('x'.repeat(180)),
  'signs that a path must escape': framed('a b/ü?', '#%25'),
  'with dots and tildes': framed('v1.~', ':0'),
  'in capitals': framed('ID-', '-Z'),
};
/** An image ends with a colon, `v` and its version. */
const imageForms: Readonly<Record<string, Form<string>>> = {
  'with a port': framed('[2001:db8::1]:5000/a/'),
  'with a long path': framed(`mirror.example/${'deep/'.repeat(30)}`),
};
const shifted = (by: number): Form<number> => ({ to: (id) => id + by, from: (id) => id - by });
const numberForms: Readonly<Record<string, Form<number>>> = {
  'of 13 digits': shifted(1_700_000_000_000),
  'of 16 digits': shifted(9_000_000_000_000_000),
};

/** How a text and a number are told apart does not matter to a form. */
function renamed<Id extends string | number>(
  kind: string,
  places: Places,
  name: string,
  form: Form<Id>,
): Variant {
  const isOwn = (value: unknown): value is Id =>
    typeof value === (name.startsWith('of') ? 'number' : 'string');
  const to = (value: unknown): unknown => (isOwn(value) ? form.to(value) : undefined);
  const back = (value: string): string | undefined => {
    const id = (name.startsWith('of') ? Number(value) : value) as Id;
    return Number.isNaN(id) ? value : form.from(id)?.toString();
  };
  return {
    id: `ids:${kind}:${name}`,
    ground: `open: the shape of the id of a ${kind} is not shown`,
    slot: `ids:${kind}`,
    on: 'mock',
    bindings: (bindings) =>
      Object.fromEntries(
        Object.entries(bindings as JsonObject).map(([bound, value]) => {
          const field = places.bound[bound];
          if (field === undefined || !isObject(value)) return [bound, value];
          const id = to(value[field]);
          // An identifier that is a number is the number that paths want.
          return [
            bound,
            { ...value, [field]: id, ...(typeof id === 'number' && { numericId: id }) },
          ];
        }),
      ) as typeof bindings,
    does: (): Operator => async (asked, next) => {
      if (!isCall(asked)) return next(asked);
      const path = { ...asked.path };
      for (const name of places.path)
        if (path[name] !== undefined) path[name] = back(path[name]) ?? NEVER;
      const body: Record<string, unknown> = { ...asked.body };
      const sent = places.sent.filter(
        (field) => isOwn(body[field]) && !places.notThese?.test(String(body[field])),
      );
      for (const field of sent) body[field] = form.from(body[field] as Id) ?? NEVER;
      const isOther = Object.keys(path).some((name) => path[name] !== asked.path[name]);
      const own = {
        ...(isOther ? { path } : {}),
        ...(sent.length > 0 ? { body } : {}),
      };
      const reply = await next(isOther || sent.length > 0 ? otherCall(asked, own) : asked);
      const named = places.answers.filter(([operation]) => operation === asked.operation.id);
      const renamedBody = named.reduce(
        (body: unknown, [, place]) => changeAt(body, pathOf(place), to),
        reply.body,
      );
      return { ...reply, body: renamedBody };
    },
  };
}

/** What no object is called. */
const NEVER = '999999998';

export const identifierVariants: readonly Variant[] = [
  ...Object.entries(texts).flatMap(([kind, places]) =>
    Object.entries(kind === 'image' ? imageForms : textForms).map(([name, form]) =>
      renamed(kind, places, name, form),
    ),
  ),
  ...Object.entries(numbers).flatMap(([kind, places]) =>
    Object.entries(numberForms).map(([name, form]) => renamed(kind, places, name, form)),
  ),
];
