/** Names that a tenant normalises, or has rules for: of folders, embed tenants, groups, attributes. */
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { objectsOf } from '../../deviations/places.ts';
import { type Call, otherCall } from '../../deviations/wire.ts';
import { isCall, type Operator, refusal, type Scene, type Variant } from '../variant.ts';

/** What is refused has no effect: the tenant is asked for something of the same rights that changes nothing. */
const refuses =
  (
    operation: string,
    isBad: (call: Call, scene: Scene) => boolean,
    status: number,
    harmless: unknown,
  ) =>
  (scene: Scene): Operator =>
  async (asked, next) => {
    if (!isCall(asked) || asked.operation.id !== operation || !isBad(asked, scene))
      return next(asked);
    const reply = await next(otherCall(asked, { body: harmless }));
    return reply.status === 200 ? refusal(asked, status) : reply;
  };

const texts = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => texts(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, texts(item, change)]));
};
const normal: Readonly<Record<string, (text: string) => string>> = {
  NFC: (text) => text.normalize('NFC'),
  trimmed: (text) => text.trim(),
  'one space': (text) => text.replaceAll(/\s+/g, ' '),
};
const normalised = (['updateFolder', 'addNotificationRecipients'] as const).flatMap((id) =>
  Object.entries(normal).map(
    ([kind, change]): Variant => ({
      id: `normalised:${id}:${kind}`,
      ground:
        id === 'updateFolder'
          ? 'FOLDER-16: rules of names are not shown'
          : 'open: the form in which names are kept is not shown',
      slot: `names:${id}`,
      does: (): Operator => (asked, next) => {
        if (!isCall(asked) || asked.operation.id !== id) return next(asked);
        const body = texts(asked.body, change);
        return next(
          JSON.stringify(body) === JSON.stringify(asked.body) ? asked : otherCall(asked, { body }),
        );
      },
    }),
  ),
);

// ── folders ─────────────────────────────────────────────────────────────────────

const rules: Readonly<Record<string, (name: string) => boolean>> = {
  'at most 20 characters': (name) => name.length > 20,
  'at most 255 characters': (name) => name.length > 255,
  'at least 3 characters': (name) => name.length < 3,
  'ASCII alone': (name) => /[^ -~]/.test(name),
  'letters, digits and spaces': (name) => /[^\p{L}\p{N} ]/u.test(name),
  'no digits': (name) => /\d/.test(name),
  'no space at an end': (name) => name !== name.trim(),
};
const folders = Object.entries(rules).flatMap(([kind, isBad]) =>
  [400, 409, 422].map(
    (status): Variant => ({
      id: `folder names:${kind}:${status}`,
      ground: 'FOLDER-16: rules of names are not shown',
      slot: 'names:updateFolder',
      does: refuses(
        'updateFolder',
        ({ body }) => typeof body.name === 'string' && isBad(body.name),
        status,
        {},
      ),
    }),
  ),
);

/** FOLDER-15: beyond its siblings a position is refused; how many there are is told by nobody. */
const positions = [400, 409, 422].flatMap((status) =>
  [1, 2, 5, 100].map(
    (most): Variant => ({
      id: `folder positions:at most ${most}:${status}`,
      ground: 'FOLDER-15',
      slot: 'silence:FOLDER-15',
      on: 'mock',
      does: refuses(
        'updateFolder',
        ({ body }) => typeof body.position === 'number' && body.position > most,
        status,
        {},
      ),
    }),
  ),
);

// ── recipients ──────────────────────────────────────────────────────────────────

/** Embed tenants that the tenant file names: they exist. */
function knownIn({ bindings }: Scene, field: string): readonly string[] {
  const { recipients } = bindings as JsonObject;
  const bound = isObject(recipients) ? objectsOf(recipients.embedUsers) : [];
  return bound.flatMap((user) => JSON.stringify(user[field] ?? []));
}
const isKnown = (known: readonly string[], value: unknown): boolean =>
  known.some((text) => text.includes(JSON.stringify(value)));

interface Unknown {
  readonly ground: string;
  /** The names in a recipient that must exist. */
  readonly names: (item: JsonObject) => readonly unknown[];
  readonly field: string;
  readonly without: (item: JsonObject) => JsonObject;
}
const must: Readonly<Record<string, Unknown>> = {
  'embed tenants': {
    ground: 'whether embed tenants must exist is not shown; only embed users are created',
    names: ({ embedTenantName }) => (embedTenantName === undefined ? [] : [embedTenantName]),
    field: 'embedTenantName',
    without: (item) => item,
  },
  groups: {
    ground: 'whether groups must exist is not shown',
    names: ({ groups }) => (Array.isArray(groups) ? groups : []),
    field: 'groups',
    without: ({ groups: _, ...item }) => item,
  },
  attributes: {
    ground: 'whether attributes must exist is not shown',
    names: ({ userAttributes }) => objectsOf(userAttributes).map(({ name }) => name),
    field: 'userAttributes',
    without: ({ userAttributes: _, ...item }) => item,
  },
};
const add = 'addNotificationRecipients';
const mustExist = Object.entries(must).flatMap(([kind, { ground, names, field, without }]) => {
  const isStrange = (item: JsonObject, scene: Scene): boolean =>
    names(item).some((name) => !isKnown(knownIn(scene, field), name));
  const refused = [400, 404, 409, 422].map(
    (status): Variant => ({
      id: `unknown ${kind}:${status}`,
      ground,
      slot: `unknown ${kind}`,
      does: (scene) => async (asked, next) => {
        if (!isCall(asked) || asked.operation.id !== add) return next(asked);
        const items = objectsOf(asked.body.recipients);
        if (!items.some((item) => isStrange(item, scene))) return next(asked);
        // Nothing may be written, so it is only looked at what the tenant would answer.
        const before = scene.snapshot();
        const reply = await next(asked);
        scene.restore(before);
        return reply.status === 200 ? refusal(asked, status) : reply;
      },
    }),
  );
  const ignored: Variant = {
    id: `unknown ${kind}:ignored`,
    ground,
    slot: `unknown ${kind}`,
    does: (scene) => (asked, next) => {
      if (!isCall(asked) || asked.operation.id !== add) return next(asked);
      const items = objectsOf(asked.body.recipients);
      if (!items.some((item) => isStrange(item, scene))) return next(asked);
      const recipients = items.map((item) => (isStrange(item, scene) ? without(item) : item));
      return next(otherCall(asked, { body: { ...asked.body, recipients } }));
    },
  };
  return kind === 'embed tenants' ? refused : [...refused, ignored];
});

export const nameVariants: readonly Variant[] = [
  ...normalised,
  ...folders,
  ...positions,
  ...mustExist,
];
