/**
 * Variants of names that a tenant normalises or restricts: of folders, embed tenants, groups,
 * attributes.
 */
import { equal, isObject, type JsonObject, mapStrings } from '../../../spec/base/json.ts';
import { objectsOf } from '../../deviations/places.ts';
import { type Call, isServed, otherCall, type Reply } from '../../deviations/wire.ts';
import {
  type Does,
  each,
  isCall,
  lookingAt,
  type Next,
  refusal,
  type Scene,
  type Variant,
} from '../variant.ts';

/**
 * Refuses a folder update. The same call with an empty body shows whether the caller is permitted,
 * and changes nothing.
 */
const refuses = (isBad: (body: JsonObject) => boolean, status: number): Does =>
  lookingAt(['updateFolder'], () => async (asked, next) => {
    if (!isCall(asked) || asked.operation.id !== 'updateFolder' || !isBad(asked.body))
      return next(asked);
    const reply = await next(otherCall(asked, { body: {} }));
    return isServed(reply) ? refusal(asked, status) : reply;
  });

const normal: Readonly<Record<string, (text: string) => string>> = {
  NFC: (text) => text.normalize('NFC'),
  NFD: (text) => text.normalize('NFD'),
  trimmed: (text) => text.trim(),
  'one space': (text) => text.replaceAll(/\s+/g, ' '),
};
const normalised = (['updateFolder', 'addNotificationRecipients'] as const).flatMap((id) =>
  each(
    { rule: `normalised:${id}`, slot: `names:${id}`, ground: 'FOLDER-26' },
    normal,
    (change) => ({
      does: () => (asked, next) => {
        if (!isCall(asked) || asked.operation.id !== id) return next(asked);
        const body = mapStrings(asked.body, change);
        return next(equal(body, asked.body) ? asked : otherCall(asked, { body }));
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
  'no slash': (name) => /[\\/]/.test(name),
  'at most 24 bytes': (name) => Buffer.byteLength(name) > 24,
  'no space at an end': (name) => name !== name.trim(),
};
const folders = [400, 409, 422].flatMap((status) =>
  each(
    { rule: 'folder names', slot: 'names:updateFolder', ground: 'FOLDER-26' },
    rules,
    (isBad, kind) => ({
      id: `folder names:${kind}:${status}`,
      does: refuses(({ name }) => typeof name === 'string' && isBad(name), status),
    }),
  ),
);

/**
 * A position beyond the last sibling is refused. No call tells the number of siblings, so a fixed
 * one is used.
 */
const positions = [400, 409, 422].flatMap((status) =>
  each(
    { rule: 'folder positions', slot: 'silence:FOLDER-15', ground: 'FOLDER-15' },
    [1, 2, 5, 100],
    (most) => ({
      id: `folder positions:at most ${most}:${status}`,
      on: 'mock',
      does: refuses(({ position }) => Number(position) > most, status),
    }),
  ),
);

// ── recipients ──────────────────────────────────────────────────────────────────

/** The embed tenants that the tenant file names, which therefore exist. */
function knownIn({ bindings }: Scene, field: string): readonly string[] {
  const { recipients } = bindings as JsonObject;
  const bound = isObject(recipients) ? objectsOf(recipients.embedUsers) : [];
  return bound.flatMap((user) => JSON.stringify(user[field] ?? []));
}
const isKnown = (known: readonly string[], value: unknown): boolean =>
  known.some((text) => text.includes(JSON.stringify(value)));

interface Unknown {
  readonly ground: string;
  /** The names in a recipient that must be known to the tenant. */
  readonly names: (item: JsonObject) => readonly unknown[];
  readonly field: string;
}
const must = {
  'embed tenants': {
    ground: 'RECIP-49',
    names: ({ embedTenantName }) => (embedTenantName === undefined ? [] : [embedTenantName]),
    field: 'embedTenantName',
  },
  groups: {
    ground: 'RECIP-50',
    names: ({ groups }) => (Array.isArray(groups) ? groups : []),
    field: 'groups',
  },
  attributes: {
    ground: 'RECIP-50',
    names: ({ userAttributes }) => objectsOf(userAttributes).map(({ name }) => name),
    field: 'userAttributes',
  },
} satisfies Readonly<Record<string, Unknown>>;
const isStrangeTo =
  ({ names, field }: Unknown) =>
  (item: JsonObject, scene: Scene): boolean =>
    names(item).some((name) => !isKnown(knownIn(scene, field), name));
const mustExist = Object.entries(must).flatMap(([kind, unknown]) => {
  const { ground } = unknown;
  const isStrange = isStrangeTo(unknown);
  /** Answers calls that add a recipient with an unknown name. */
  const at =
    (answer: (call: Call, next: Next, scene: Scene) => Promise<Reply>): Does =>
    (scene) =>
    (asked, next) => {
      const isOther = !isCall(asked) || asked.operation.id !== 'addNotificationRecipients';
      if (isOther || !itemsOf(asked).some((item) => isStrange(item, scene))) return next(asked);
      return answer(asked, next, scene);
    };
  return each({ rule: `unknown ${kind}`, ground }, [400, 404, 409, 422], (status) => ({
    does: at(async (call, next, scene) => {
      // A trial call finds the tenant's answer. It must not write anything.
      const before = scene.snapshot();
      const reply = await next(call);
      scene.restore(before);
      return isServed(reply) ? refusal(call, status) : reply;
    }),
  }));
});
/**
 * Groups and attributes are ignored together. A service that ignored only one of them would look like a
 * service that misses its changes.
 */
const passedOver: Variant = {
  id: 'unknown groups and attributes:ignored',
  ground: 'RECIP-50',
  slot: 'unknown groups',
  does: (scene) => (asked, next) => {
    if (!isCall(asked) || asked.operation.id !== 'addNotificationRecipients') return next(asked);
    const known = ({ groups, userAttributes, ...item }: JsonObject): JsonObject => ({
      ...item,
      ...(isStrangeTo(must.groups)({ groups }, scene) ? {} : { groups }),
      ...(isStrangeTo(must.attributes)({ userAttributes }, scene) ? {} : { userAttributes }),
    });
    const recipients = itemsOf(asked).map(known);
    return next(otherCall(asked, { body: { ...asked.body, recipients } }));
  },
};
/** Names that many accounts have. Such a service ignores all other names. */
const usual = ['region', 'tier', 'analysts', 'managers'];
const usualAreKnown: Variant = {
  id: 'unknown groups and attributes:usual ones known',
  ground: 'RECIP-50',
  slot: 'unknown groups',
  does: () => (asked, next) => {
    if (!isCall(asked) || asked.operation.id !== 'addNotificationRecipients') return next(asked);
    const known = ({ groups, userAttributes, ...item }: JsonObject): JsonObject => ({
      ...item,
      ...(Array.isArray(groups) && { groups: groups.filter((name) => usual.includes(name)) }),
      ...(Array.isArray(userAttributes) && {
        userAttributes: userAttributes.filter(({ name }) => usual.includes(name)),
      }),
    });
    const recipients = itemsOf(asked).map(known);
    return next(otherCall(asked, { body: { ...asked.body, recipients } }));
  },
};
const itemsOf = ({ body }: Call): readonly JsonObject[] => objectsOf(body.recipients);

export const nameVariants: readonly Variant[] = [
  ...normalised,
  ...folders,
  ...positions,
  ...mustExist,
  passedOver,
  usualAreKnown,
];
