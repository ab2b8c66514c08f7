/** Variants with a gateway that sometimes answers in place of the tenant. */
import type { Reply } from '../../deviations/wire.ts';
import {
  type Asked,
  CLOSED,
  type Does,
  each,
  isCall,
  isWrite,
  replies,
  type Variant,
} from '../variant.ts';

const statuses = [
  300, 301, 302, 303, 307, 308, 399, 405, 408, 413, 414, 415, 421, 425, 429, 431, 500, 501, 502,
  503, 504, 505, 506, 507, 508, 510, 511, 520, 521, 522, 523, 524, 525, 526, 527, 529, 530, 561,
  598, 599,
];
const forms = {
  JSON: { headers: { 'content-type': 'application/json' }, body: { message: 'No', id: 'x' } },
  HTML: { headers: { 'content-type': 'text/html' }, body: '<html><h1>No</h1></html>' },
  nothing: { headers: {}, body: undefined },
} satisfies Readonly<Record<string, Pick<Reply, 'headers' | 'body'>>>;
const more = (status: number): Record<string, string> => {
  if (status >= 300 && status < 400) return { location: 'https://sign-in.example/?next=%2F' };
  return status === 405 ? { allow: 'GET' } : {};
};

/**
 * The gateway answers one of EVERY calls, and the same call at most twice. Then it lets that call pass REST
 * times, because parallel scenarios may make the call between two tries of one scenario.
 */
const EVERY = 40;
const MOST = 2;
const REST = 30;

const nowAndThen =
  (answer: (asked: Asked, own: () => Promise<Reply>) => Promise<Reply> | Reply): Does =>
  ({ random }) => {
    /**
     * How often the gateway answered a call; a negative number counts how often the call will still
     * pass.
     */
    const struck = new Map<string, number>();
    return async (asked, next) => {
      const { method, target, headers, secure } = asked;
      // The body does not count, because another try of a scenario sends other names.
      const same = [method, target, headers.authorization].join(' ');
      const times = struck.get(same) ?? 0;
      // A call that the gateway has answered once is likely to be answered by it again.
      const isDue = times >= 0 && random.below(times > 0 ? 2 : EVERY) === 0;
      const strikes = isCall(asked) && secure && times < MOST && isDue;
      struck.set(same, strikes ? times + 1 : afterService(times));
      return strikes ? answer(asked, () => next(asked)) : next(asked);
    };
  };

/**
 * Counts a call that passed. Other scenarios may make the same call meanwhile, so it must pass REST
 * times.
 */
const afterService = (times: number): number => (times > 0 ? -REST : Math.min(0, times + 1));

const about = { slot: 'gateway', ground: 'SVC-7; anything a gateway answers breaks no promise' };
const closed: Reply = { status: CLOSED, headers: {}, body: undefined };

/** The gateway always refuses a body that is too large. */
const tooLarge: Variant = {
  ...{ id: 'gateway:413 each time', slot: 'silence:RECIP-27', ground: 'RECIP-27', on: 'mock' },
  assumptions: { 'RECIP-27': 'too-large' },
  does: replies(({ status }) => (status === 413 ? { status, ...forms.JSON } : undefined)),
};

export const gatewayVariants: readonly Variant[] = [
  ...statuses.flatMap((status) =>
    each({ ...about, rule: `gateway:${status}` }, forms, ({ headers, body }) => ({
      does: nowAndThen(() => ({ status, headers: { ...headers, ...more(status) }, body })),
    })),
  ),
  tooLarge,
  { ...about, id: 'gateway:closed', does: nowAndThen(() => closed) },
  // The tenant carries out the call, but the answer is lost.
  ...each({ ...about, rule: 'gateway after the work' }, [500, 502, 504, CLOSED], (status) => ({
    does: nowAndThen(async (asked, own) => {
      const reply = await own();
      return isWrite(asked) && reply.status < 300 ? { ...closed, status } : reply;
    }),
  })),
  ...each(
    { ...about, rule: 'gateway:429 with Retry-After' },
    ['0', '1', '2.5', 'soon'],
    (wait) => ({
      does: nowAndThen(() => ({ status: 429, headers: { 'retry-after': wait }, body: undefined })),
    }),
  ),
];
