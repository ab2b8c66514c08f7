/** Requests that should be refused and are served, or are refused and written all the same. */
import type { JsonObject } from '../../../spec/base/json.ts';
import { count } from '../../deviations/conditions.ts';
import { type Asked, type Does, type Done, trial } from '../../deviations/does.ts';
import { same } from '../../deviations/places.ts';
import { accepts, despite, served } from '../../deviations/refusals.ts';
import type { Rows } from '../../deviations/rows.ts';
import { isServed, type Other } from '../../deviations/wire.ts';
import { deploymentsOf } from '../lists/deviations.ts';
import {
  calling,
  type Items,
  isConsole,
  isEmail,
  isEmbed,
  resolves,
  sent,
  toldLists,
  tryOut,
} from './people.ts';

const CHAT = 'RECIP-15';
const UNRESOLVABLE = 'RECIP-16';
const ITEMS = `${CHAT} ${UNRESOLVABLE}`;

// ── refused, and written ────────────────────────────────────────────────────────

/** Writes some recipients of a refused request: those of the chosen ones that resolve. */
const writes = (why: string, choose: (items: Items, bad: number) => Items = (items) => items) =>
  despite(why, async (done) => {
    const items = sent(done);
    const good = new Map<string, boolean>();
    for (const item of items) {
      const text = JSON.stringify(item);
      if (!good.has(text)) good.set(text, await resolves(done, item));
    }
    const isGood = (item: JsonObject) => good.get(JSON.stringify(item)) === true;
    const bad = items.findIndex((item) => !isGood(item));
    const chosen = choose(items, bad).filter(isGood);
    return chosen.length === 0 ? [] : [calling(done, chosen)];
  });

/** Another notification that the service knows, in any deployment: no call lists them. */
async function elsewhere(asked: Asked, item: JsonObject): Promise<Other | undefined> {
  const { call } = asked;
  const own = Number(call.path.id);
  for (const { id: deployment } of await deploymentsOf(asked)) {
    for (let near = Math.max(1, own - 15); near <= own + 15; near += 1) {
      const path = { deploymentId: String(deployment), id: String(near) };
      const other = { ...calling(asked, [item]), path };
      if (near !== own && isServed(await trial(asked, other))) return other;
    }
  }
  return undefined;
}
/** The embed users of a refused request are made, without a subscription to its notification. */
const makesUsers = despite(ITEMS, async (done) => {
  const others: Other[] = [];
  for (const item of sent(done).filter((one) => isEmbed(one) && isEmail(one.email))) {
    const other = (await resolves(done, item)) ? await elsewhere(done, item) : undefined;
    if (other !== undefined) others.push(other);
  }
  return others;
});

const noLists = toldLists({ created: [], updated: [], unchanged: [] });

// ── recipients that refuse the request that they are in ─────────────────────────

/** Serves a request that a statement refuses, with what is left of its recipients. */
const serves = (
  why: string,
  keep: (items: Items, bad: Items, done: Done) => Items | undefined,
): Does =>
  accepts(why, async (done) => {
    const bad: JsonObject[] = [];
    for (const item of sent(done)) if ((await tryOut(done, [item])).why === why) bad.push(item);
    const recipients = keep(sent(done), bad, done);
    if (recipients?.length === 0) return served(200, noLists)(done);
    return recipients && { body: { recipients } };
  });
const drops = (why: string, which: (item: JsonObject) => boolean = () => true) =>
  serves(why, (items, bad) => items.filter((item) => !which(item) || !bad.includes(item)));
/** Refuses only where this holds; elsewhere passes over whom it should refuse. */
const onlyWhere = (why: string, holds: (items: Items, bad: Items, done: Done) => boolean) =>
  serves(why, (items, bad, done) =>
    holds(items, bad, done) ? undefined : items.filter((item) => !bad.includes(item)),
  );
const once = (why: string) =>
  onlyWhere(why, (_items, _bad, { target }) => count(target.memory, 'refused') === 1);
const firstBad = (items: Items, bad: Items) => items[0] !== undefined && bad.includes(items[0]);
const withEmail = (email: (item: JsonObject) => unknown) =>
  serves(UNRESOLVABLE, (items, bad) =>
    items.map((item) => {
      const name = isEmbed(item) && bad.includes(item) ? email(item) : undefined;
      return name === undefined
        ? item
        : { ...item, email: `${encodeURIComponent(String(name))}@unknown.example.com` };
    }),
  );
const tooMany = (fits: (length: number) => boolean) =>
  accepts('any', (done) =>
    fits(sent(done).length) ? { body: { recipients: sent(done).slice(0, 1000) } } : undefined,
  );
const nobody = (fits: (recipients: unknown) => boolean) =>
  accepts('any', (done) =>
    fits(done.call.body.recipients) ? served(200, noLists)(done) : undefined,
  );

export const ofRefused: Rows = {
  'RECIP-17': {
    'partial-write-after': writes(ITEMS, (items, bad) => items.slice(bad + 1)),
    'refused-unresolvable-writes': writes(UNRESOLVABLE),
    'refused-number-writes: A request refused for its number subscribes its first 1000.': writes(
      'RECIP-27',
      (items) => items.slice(0, 1000),
    ),
    'refused-embed-user-made': makesUsers,
  },
  'RECIP-17 AUTH-14': {
    'refused-role-writes': writes('RECIP-20 RECIP-21 RECIP-22'),
    'refused-scope-writes': writes('AUTH-8'),
  },
  'RECIP-15': {
    'chat-refused-first-only': onlyWhere(CHAT, firstBad),
    'chat-refused-last-only': onlyWhere(CHAT, (items, bad) => firstBad(items.toReversed(), bad)),
    'chat-refused-once': once(CHAT),
  },
  'RECIP-16': {
    'unresolvable-address-dropped': drops(
      UNRESOLVABLE,
      (item) => isConsole(item) && item.userId === undefined,
    ),
    'unresolvable-embed-user-accepted': withEmail(({ externalId }) => externalId),
    'embed-user-without-address-accepted': withEmail(({ email }) => email),
  },
  'RECIP-24': {
    'behind-1000-dropped': tooMany((length) => length > 1000),
  },
  'RECIP-25': {
    'empty-list-accepted': nobody((recipients) => same(recipients, [])),
    'missing-list-accepted': nobody((recipients) => recipients === undefined),
  },
};
