/** A recipient that is sent again: in which list it ends up, and what becomes of a change. */
import { equal, type JsonObject } from '../../../spec/base/json.ts';
import { count, exchange, setIn } from '../../deviations/conditions.ts';
import { type Asked, type Does, type Done, makes, type When } from '../../deviations/does.ts';
import type { Rows } from '../../deviations/rows.ts';
import { besides, first } from '../../deviations/state.ts';
import { isServed } from '../../deviations/wire.ts';
import { moves, readLists, seesEach, sent, where, who } from './people.ts';

// ── the same call again ─────────────────────────────────────────────────────────

export const isEmbedRecord = ({ externalId }: JsonObject) => typeof externalId === 'string';
export const isConsoleRecord = (record: JsonObject) => !isEmbedRecord(record);
export const timesOf = (record: JsonObject, done: Done) =>
  count(done.target.memory, `${where(done)} ${who(record)}`);
export const againAs = (as: 'created' | 'updated', breaks = 'RECIP-7'): Rows => ({
  [breaks]: {
    [`again-${as}`]: moves('unchanged', as),
    [`again-${as}-embed-users`]: moves('unchanged', as, isEmbedRecord),
    [`again-${as}-console-users`]: moves('unchanged', as, isConsoleRecord),
    [`third-time-${as}`]: moves('unchanged', as, (record, done) => timesOf(record, done) >= 2),
  },
});
/** A call with the recipients of an earlier one, in an order in which it has not come before. */
export const isReordered: When = (asked) => {
  const items = sent(asked).map((item) => JSON.stringify(item));
  const earlier = exchange(asked.target.memory, items.toSorted().join(), items.join());
  return earlier !== undefined && earlier !== items.join();
};

/** Puts back what was before an earlier call, and makes this one again. */
async function withoutThat({ call, target }: Done, before: unknown): Promise<void> {
  target.restore(before);
  await makes({ call, target }, [{ body: call.body }]);
}
/** Subscribing somebody ends the subscriptions that the call before has made. */
export const othersUnsubscribed: Does = async (call, target) => {
  const now = target.snapshot();
  const reply = await target.handle(call);
  const earlier = target.memory.get(where({ call, target }));
  if (!isServed(reply)) return reply;
  if (earlier !== undefined) await withoutThat({ call, target, reply }, earlier);
  target.memory.set(where({ call, target }), earlier === undefined ? now : earlier);
  return reply;
};
/** What somebody was subscribed to elsewhere is forgotten with a new subscription. */
export const oneEach: Does = async (call, target) => {
  const now = target.snapshot();
  const reply = await target.handle(call);
  const here = where({ call, target });
  for (const record of readLists(reply.body).created) {
    const before = target.memory.get(who(record)) as
      | { readonly at: string; readonly now: unknown }
      | undefined;
    if (before !== undefined && before.at !== here)
      await withoutThat({ call, target, reply }, before.now);
    target.memory.set(who(record), { at: here, now });
  }
  return reply;
};
/** A subscriber of one notification is known to every other. */
export const knownElsewhere = first((asked) => {
  const seen = setIn(asked.target.memory, 'seen');
  const key = (item: JsonObject, at: string) => `${at} ${JSON.stringify(item)}`;
  const known = sent(asked).filter((item) =>
    [...seen].some((one) => one.endsWith(key(item, '')) && !one.startsWith(where(asked))),
  );
  for (const item of sent(asked)) seen.add(key(item, where(asked)));
  return known.length === 0 ? [] : [{ body: { recipients: known } }];
});

// ── what becomes of a change ────────────────────────────────────────────────────

type Alike = (sent: unknown, stored: unknown) => boolean;
export const asText: Alike = (a, b) => {
  const text = (value: unknown) =>
    JSON.stringify(value, (_key, item) => (typeof item === 'number' ? String(item) : item));
  return text(a) === text(b);
};
export const byNumber: Alike = (a, b) =>
  Array.isArray(a) && Array.isArray(b) && a.length === b.length;

/** What was last sent of somebody, and kept. */
const kept = (asked: Asked, item: JsonObject): JsonObject | undefined =>
  asked.target.memory.get(`kept ${where(asked)} ${who(item)}`) as JsonObject | undefined;
export const keep = (asked: Asked, item: JsonObject): void =>
  void asked.target.memory.set(`kept ${where(asked)} ${who(item)}`, {
    ...kept(asked, item),
    ...item,
  });
/** Notes what a served call has sent. */
const noting =
  (does: Does): Does =>
  async (call, target) => {
    const reply = await does(call, target);
    if (isServed(reply)) for (const item of sent({ call, target })) keep({ call, target }, item);
    return reply;
  };
const asKept = (asked: Asked, item: JsonObject, property: string): JsonObject => {
  const { [property]: _sent, ...rest } = item;
  const old = kept(asked, item)?.[property];
  return old === undefined ? rest : { ...rest, [property]: old };
};
/** Misses a change of a property, where the two values are alike in this way. */
export const misses = (property: string, alike: Alike = () => true): Does => {
  const missing = seesEach((item, asked) => {
    const old = kept(asked, item)?.[property];
    const isMissed =
      old !== undefined && item[property] !== undefined && alike(item[property], old);
    if (!isMissed) keep(asked, item);
    return isMissed ? asKept(asked, item, property) : item;
  });
  return missing;
};
/** Reports a change of a property and keeps the value from before it. */
const keepsOld = (property: string): Does => {
  const putsBack = besides((done) => {
    const changed = sent(done).filter((item) => kept(done, item)?.[property] !== undefined);
    const old = changed.map((item) => asKept(done, item, property));
    for (const item of sent(done).filter((one) => !changed.includes(one))) keep(done, item);
    return old.length === 0 ? [] : [{ body: { recipients: old } }];
  });
  return putsBack;
};
/** Reports as newly subscribed whoever has changed in this property. */
const createdBy = (property: string): Does =>
  noting(
    moves('updated', 'created', (record, done) => {
      const item = sent(done).find((one) => who(one) === who(record));
      return item !== undefined && !equal(item[property], kept(done, item)?.[property]);
    }),
  );
export const ofProperty = (name: string, property: string, breaks: string): Rows => ({
  [breaks]: {
    [`${name}-change-unnoticed`]: misses(property),
    [`${name}-change-created`]: createdBy(property),
  },
  'RECIP-7': {
    [`${name}-change-not-kept`]: keepsOld(property),
  },
});
