/** Variants of metadata tokens: the limits of their lifetime, and the claims of the JWT. */
import { isObject, type JsonObject, parseJson } from '../../../spec/base/json.ts';
import { otherCall } from '../../deviations/wire.ts';
import { each, isCall, refusal, serves, type Variant } from '../variant.ts';

const DAY = 86_400;
/** The least and the most lifetime that may be requested. The default stays a day. */
const limits: Readonly<Record<string, readonly [number, number]>> = {
  'a day at most': [0, DAY],
  'a day and a bit at most': [0, 100_000],
  'a week at most': [0, 7 * DAY],
  'a month at most': [0, 30 * DAY],
  'a minute at least': [60, Number.POSITIVE_INFINITY],
  'an hour at least': [3600, Number.POSITIVE_INFINITY],
};
const lifetimes = ([200, 400, 422] as const).flatMap((status) =>
  each(
    { rule: 'lifetime', slot: 'silence:META-12', ground: 'META-12' },
    limits,
    ([least, most], name) => ({
      id: `lifetime:${name}:${status === 200 ? 'lowered' : status}`,
      does: () => async (asked, next) => {
        const wanted = isCall(asked) ? asked.body.expires_in : undefined;
        if (!isCall(asked) || typeof wanted !== 'number' || wanted <= 0) return next(asked);
        const allowed = Math.min(most, Math.max(least, wanted));
        if (allowed === wanted) return next(asked);
        const reply = await next(
          otherCall(asked, { body: { ...asked.body, expires_in: allowed } }),
        );
        // The refused token exists, but no call shows it.
        return status === 200 || reply.status >= 400 ? reply : refusal(asked, status);
      },
    }),
  ),
);

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part = ''): JsonObject => {
  const value = parseJson(Buffer.from(part, 'base64url').toString());
  return isObject(value) ? value : {};
};

type Claims = JsonObject & { readonly exp?: unknown };

/** Makes new claims from the old claims without the context, and from the context. */
type Make = (claims: Claims, context: JsonObject) => JsonObject;
const withExp = ({ exp }: Claims, more: JsonObject): JsonObject => ({ exp, ...more });
const payloads: Readonly<Record<string, Make>> = {
  // RFC 7519 section 4.1.4: exp is optional, and may be later. Only expires_at is promised.
  'without exp': ({ exp: _, ...claims }, context) => ({ ...claims, security_context: context }),
  'exp a minute later': ({ exp }, context) => ({
    exp: Number(exp) + 60,
    security_context: context,
  }),
  // RFC 7519 section 2: a date may have a fraction.
  'exp with a fraction': ({ exp }, context) => ({
    exp: Number(exp) + 0.5,
    security_context: context,
  }),
  'other claims besides': (claims, context) => ({
    ...{ aud: ['metadata'], jti: 'x', scope: 'meta', nbf: 1, iat: 1 },
    ...withExp(claims, { security_context: context }),
  }),
  'context among the claims': (claims, context) => withExp(claims, context),
  'context under u': (claims, context) => withExp(claims, { u: context }),
  'context deep inside': (claims, context) => withExp(claims, { a: [{ b: { c: context } }] }),
  'context as a text': (claims, context) => withExp(claims, { ctx: JSON.stringify(context) }),
  'context with more in it': (claims, context) =>
    withExp(claims, { security_context: { ...context, iss: 'x', roles_of: [] } }),
};
const signed = (header: JsonObject, payload: JsonObject): string =>
  `${encode(header)}.${encode(payload)}.c2lnbmF0dXJlIG9mIGFub3RoZXIga2luZA`;
const jwts: Readonly<Record<string, (claims: Claims, context: JsonObject) => string>> = {
  ...Object.fromEntries(
    Object.entries(payloads).map(([kind, make]) => [
      kind,
      (claims: Claims, context: JsonObject) => signed({ alg: 'ES256' }, make(claims, context)),
    ]),
  ),
  // RFC 7519 section 5: a JWT may be encrypted.
  encrypted: (claims) => {
    const unreadable = encode(claims).split('').toReversed().join('');
    return `${encode({ alg: 'dir', enc: 'A256GCM', cty: 'JWT' })}..aXY.${unreadable}.dGFn`;
  },
};

const tokens = each(
  { rule: 'jwt', ground: 'META-11; RFC 7519; expires_at alone is promised' },
  jwts,
  (make) => ({
    does: () => {
      // A client sends the changed token. The tenant knows only the original, so it is looked up
      // here.
      const made = new Map<string, string>();
      const tells = serves(
        'createMetaSyncToken',
        (reply, { body: { security_context: context } }) => {
          const { body } = reply;
          if (!isObject(body) || !isObject(body.data)) return undefined;
          const old = String(body.data.token);
          const { security_context: _, ...claims } = decode(old.split('.')[1]);
          const token = make(claims, isObject(context) ? context : {});
          made.set(token, old);
          return { ...reply, body: { ...body, data: { ...body.data, token } } };
        },
      )();
      return (asked, next) => {
        const [scheme, token = ''] = asked.headers.authorization?.split(' ') ?? [];
        const old = made.get(token);
        const headers = { ...asked.headers, authorization: `${scheme} ${old}` };
        return tells(old === undefined ? asked : { ...asked, headers }, next);
      };
    },
  }),
);

export const tokenVariants: readonly Variant[] = [...lifetimes, ...tokens];
