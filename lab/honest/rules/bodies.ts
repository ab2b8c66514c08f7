/** Variants of open bodies, and of fields that may be absent, null or additional. */
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { changeAt, eachObject, GONE, pathOf } from '../../deviations/places.ts';
import { isRefused, type Reply } from '../../deviations/wire.ts';
import {
  groundOf,
  isExtensible,
  isOpen,
  type Node,
  nodeName,
  nodes,
  servedNodes,
  typesOf,
} from '../nodes.ts';
import { each, lookingAt, replies, serves, type Variant } from '../variant.ts';

const json = { 'content-type': 'application/json' };
const bodies: Readonly<Record<string, unknown>> = {
  absent: undefined,
  null: null,
  true: true,
  text: 'done',
  number: 0,
  list: [],
  'empty object': {},
  'a problem (RFC 9457)': { type: 'about:blank', title: 'As it is', status: 200 },
  nested: { result: [{ ok: [null] }], errors: [], message: null },
};

const withBody = (reply: Reply, body: unknown): Reply => ({
  ...reply,
  headers: { ...reply.headers, ...json },
  body,
});

/** Except for the branches list, which must contain identifiers: see `branches.ts`. */
const openBodies = nodes.filter(
  (node) => node.place === '' && isOpen(node) && node.operation.id !== 'listBranches',
);

const anyBody = openBodies.flatMap((node) => {
  const { operation, status } = node;
  const slot = `body:${operation.id}:${status.startsWith('2') ? 'served' : 'errors'}`;
  const about = { rule: `body:${operation.id}:${status}`, ground: groundOf(node), slot };
  return each(about, bodies, (body) => ({
    does: lookingAt(
      [operation.id],
      replies((reply, call) => {
        const isOne = call.operation.id === operation.id;
        const declared =
          isOne && operation.responseFor(reply.status) === operation.responses[status];
        return declared ? withBody(reply, body) : undefined;
      }),
    ),
  }));
});

// ── fields ──────────────────────────────────────────────────────────────────────

/** Fields that may be left out only in some answers. */
const mayLack: Readonly<Record<string, (body: JsonObject) => boolean>> = {
  'SCIM-17': ({ Resources, totalResults }) => [Resources].flat().length === totalResults,
  'SCIM-18': ({ Resources }) => Array.isArray(Resources) && Resources.length === 0,
  // Only the production branch may lack it, and no switch returns that branch.
  'STAGE-24': () => false,
};
const isOpenIn = ({ silences: [silence = ''] }: Node, { body }: Reply): boolean =>
  mayLack[silence]?.(isObject(body) ? body : {}) ?? true;

const at = (node: Node, what: string, change: (old: unknown) => unknown): Variant => ({
  id: `${what}:${nodeName(node)}`,
  ground: groundOf(node),
  slot: `field:${nodeName(node)}`,
  does: serves(node.operation.id, (reply) =>
    isOpenIn(node, reply) ? changed(reply, node, change) : undefined,
  ),
});

export const changed = (
  reply: Reply,
  { place }: Node,
  change: (old: unknown) => unknown,
): Reply => ({
  ...reply,
  body: changeAt(reply.body, pathOf(place), change),
});

/** A node that no silence names is reported as a finding, so it gets no variant. */
const optional = servedNodes.filter(({ required, silences }) => !required && silences.length > 0);
const nullable = optional.filter((node) => typesOf(node).includes('null'));
const absent = optional.map((node) => at(node, 'absent', () => GONE));
const nulls = nullable.map((node) => at(node, 'null', () => null));

/** One variant for all these fields at once. */
const atOnce = (nodes: readonly Node[], what: string, value: unknown): Variant[] =>
  Object.entries(Object.groupBy(nodes, ({ operation }) => operation.id)).map(([id, own = []]) => ({
    id: `${what}:${id}:all`,
    ground: own.map(groundOf)[0] ?? '',
    slot: `fields:${id}`,
    does: serves(id, (reply) =>
      own
        .filter((node) => isOpenIn(node, reply))
        .reduce((made, node) => changed(made, node, () => value), reply),
    ),
  }));
const least = [...atOnce(optional, 'absent', GONE), ...atOnce(nullable, 'null', null)];

/** The tenant keeps the email that it has, and an answer names an embed user only by that email. */
const keptEmail: Variant = {
  ...{ id: 'recipients:named by the email on record', ground: 'RECIP-36, RECIP-29' },
  ...{ slot: 'silence:RECIP-36', on: 'mock', assumptions: { 'RECIP-36': 'kept' } },
  does: serves('addNotificationRecipients', (reply) =>
    optional
      .filter(({ operation: { id }, name }) => {
        return id === 'addNotificationRecipients' && name === 'externalId';
      })
      .reduce((made, node) => changed(made, node, () => GONE), reply),
  ),
};

/** RFC 7644 section 3.4.2: a list without users may leave `Resources` out. */
const emptyList: Variant = {
  id: 'absent:listScimUsers:Resources of an empty page',
  ground: 'SCIM-18; RFC 7644 section 3.4.2',
  slot: 'scim:empty',
  does: serves('listScimUsers', (reply) => {
    const { body } = reply;
    const isEmpty = isObject(body) && Array.isArray(body.Resources) && body.Resources.length === 0;
    return isEmpty ? { ...reply, body: changeAt(body, ['Resources'], () => GONE) } : undefined;
  }),
};

/** RFC 7643 section 2.1: the case of an attribute's name does not matter. */
const namesSpelt: Readonly<Record<string, (name: string) => string>> = {
  'in capitals': (name) => name.toUpperCase(),
  'in small letters': (name) => name.toLowerCase(),
  'with a capital': (name) => name.charAt(0).toUpperCase() + name.slice(1),
};
const attributeNames = Object.entries(namesSpelt).flatMap(([how, spell]): Variant[] => {
  const about = { ground: 'RFC 7643 section 2.1', slot: 'scim:names' };
  const spelt = (value: unknown): unknown =>
    eachObject(value, (object) =>
      Object.fromEntries(Object.entries(object).map(([name, part]) => [spell(name), part])),
    );
  return [
    {
      ...{ ...about, id: `names of SCIM users:${how}` },
      does: serves('listScimUsers', ({ body, ...reply }) => ({
        ...reply,
        body: changeAt(body, ['Resources'], spelt),
      })),
    },
    {
      ...{ ...about, id: `names of SCIM answers:${how}` },
      does: replies(({ body, ...reply }, { operation }) =>
        operation.requires.surface === 'scim' ? { ...reply, body: spelt(body) } : undefined,
      ),
    },
  ];
});

const extra: Readonly<Record<string, JsonObject>> = {
  strange: { '': null, _links: { self: { href: '/' } }, 'x-ü': [1, null], Id: 'other', ID: -1 },
  // Field names that other objects of the contract use.
  known: { error: null, message: 'ok', status: 'active', total: -1, etag: 'W/"1"', ok: true },
};

/** Variants that add fields to all objects at once. */
const extensible = Object.groupBy(
  servedNodes.filter(isExtensible),
  ({ operation }) => operation.id,
);
const further = Object.entries(extensible).flatMap(([id, own = []]) => {
  const silence = own.flatMap(({ silences }) => silences)[0];
  const about = { rule: `more:${id}`, ground: silence ?? 'SVC-17' };
  return each(about, extra, (fields) => ({
    does: serves(id, (reply) =>
      own
        .toReversed()
        .reduce((made, node) => changed(made, node, withMore(fieldsFor(node, fields))), reply),
    ),
  }));
});
const withMore =
  (fields: JsonObject) =>
  (old: unknown): unknown =>
    isObject(old) ? { ...fields, ...old } : undefined;

/** RFC 7643 section 2.1: `id` and `ID` are one attribute, so a SCIM object cannot have both. */
const fieldsFor = ({ operation }: Node, fields: JsonObject): JsonObject => {
  const { Id, ID, ...others } = fields;
  return operation.requires.surface === 'scim' ? others : fields;
};

// ── messages ────────────────────────────────────────────────────────────────────

const messages: Readonly<Record<string, string>> = {
  empty: '',
  long: 'no '.repeat(3000),
  markup: '<b onclick="x()">no</b> & \u0000 \u202e',
  'other language': 'Недопустимо — 許可されていません 🚫',
  'like JSON': '{"error":"no"}',
};
const wording = each({ rule: 'message', ground: 'ERR-4' }, messages, (error) => ({
  does: replies((reply) => {
    const { body } = reply;
    const isOwn = isRefused(reply) && isObject(body) && typeof body.error === 'string';
    return isOwn ? { ...reply, body: { ...body, error } } : undefined;
  }),
}));

/** The error body of the build API is not shown, so it may be a page. */
const page: Variant = {
  ...{ id: 'errors of the build API:HTML', ground: 'ERR-3', slot: 'silence:ERR-3' },
  does: replies((reply, { operation }) => {
    const headers = { ...reply.headers, 'content-type': 'text/html' };
    const isOne = isRefused(reply) && operation.requires.surface === 'build';
    return isOne ? { ...reply, headers, body: '<h1>No</h1>' } : undefined;
  }),
};

/** The success status of a deployment's update is open, so the answer may have no body. */
const updates = each(
  { rule: 'status:updateDeployment', slot: 'body:updateDeployment:served', ground: 'UPD-9' },
  [200, 201, 202, 203, 204, 205, 206, 207, 208, 226],
  (status) => ({
    does: serves('updateDeployment', ({ body, ...reply }) => ({
      ...{ ...reply, status },
      body: [204, 205].includes(status) ? undefined : body,
    })),
  }),
);

export const bodyVariants: readonly Variant[] = [
  ...anyBody,
  ...updates,
  ...absent,
  ...nulls,
  ...least,
  emptyList,
  ...attributeNames,
  ...further,
  ...wording,
  page,
  keptEmail,
];
