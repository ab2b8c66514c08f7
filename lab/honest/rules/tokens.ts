/** Metadata tokens: how long they may live, and how the JWT carries what is promised. */
import { isObject, type JsonObject, parseJson } from '../../../spec/base/json.ts';
import { otherCall } from '../../deviations/wire.ts';
import { isCall, type Operator, refusal, serves, type Variant } from '../variant.ts';

const DAY = 86_400;
const spans = { day: DAY, 'day and a bit': 100_000, week: 7 * DAY, month: 30 * DAY };

/** A limit on the lifetime that is asked for; without one it is a day. */
const lifetimes = [
  ...Object.entries(spans).map(([name, seconds]) => ({
    name: `a ${name} at most`,
    least: 0,
    most: seconds,
  })),
  { name: 'a minute at least', least: 60, most: Number.POSITIVE_INFINITY },
  { name: 'an hour at least', least: 3600, most: Number.POSITIVE_INFINITY },
].flatMap(({ name, least, most }) =>
  (['lowered', 400, 422] as const).map(
    (how): Variant => ({
      id: `lifetime:${name}:${how}`,
      ground: 'META-12',
      slot: 'silence:META-12',
      does: (): Operator => async (asked, next) => {
        const wanted = isCall(asked) ? asked.body.expires_in : undefined;
        if (!isCall(asked) || typeof wanted !== 'number' || wanted <= 0) return next(asked);
        const allowed = Math.min(most, Math.max(least, wanted));
        if (allowed === wanted) return next(asked);
        const reply = await next(
          otherCall(asked, { body: { ...asked.body, expires_in: allowed } }),
        );
        // Nobody sees a token that was made and is not told.
        return how === 'lowered' || reply.status >= 400 ? reply : refusal(asked, how);
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
interface Jwt {
  readonly header: JsonObject;
  readonly claims: Claims;
  /** What was sent as the security context. */
  readonly context: JsonObject;
}

const HEADER = { alg: 'RS256', typ: 'JWT', kid: '7' };
const SIGNATURE = 'c2lnbmF0dXJlIG9mIGFub3RoZXIga2luZA';
const compact = ({ header, claims }: Pick<Jwt, 'header' | 'claims'>): string =>
  `${encode(header)}.${encode(claims)}.${SIGNATURE}`;

const jwts: Readonly<Record<string, readonly [ground: string, make: (jwt: Jwt) => string]>> = {
  'without exp': [
    'expires_at alone is promised; exp is optional in RFC 7519 section 4.1.4',
    ({ header, claims: { exp: _, ...claims } }) => compact({ header, claims }),
  ],
  'exp a minute later': [
    'RFC 7519 section 4.1.4: leeway',
    ({ header, claims }) =>
      compact({ header, claims: { ...claims, exp: Number(claims.exp) + 60 } }),
  ],
  'exp with a fraction': [
    'RFC 7519 section 2: NumericDate',
    ({ header, claims }) =>
      compact({ header, claims: { ...claims, exp: Number(claims.exp) + 0.5 } }),
  ],
  'other claims besides': [
    'META-11',
    ({ header, claims }) =>
      compact({
        header,
        claims: { ...claims, aud: ['metadata'], jti: 'x', scope: 'meta', nbf: 1, iat: 1 },
      }),
  ],
  'no typ': [
    'RFC 7519 section 5.1: optional',
    ({ claims }) => compact({ header: { alg: 'ES256' }, claims }),
  ],
  'context among the claims': [
    'META-11',
    ({ claims, context }) => compact({ header: HEADER, claims: { exp: claims.exp, ...context } }),
  ],
  'context under u': [
    'META-11',
    ({ claims, context }) => compact({ header: HEADER, claims: { exp: claims.exp, u: context } }),
  ],
  'context deep inside': [
    'META-11',
    ({ claims, context }) =>
      compact({ header: HEADER, claims: { exp: claims.exp, a: [{ b: { c: context } }] } }),
  ],
  'context as a text': [
    'META-11',
    ({ claims, context }) =>
      compact({ header: HEADER, claims: { exp: claims.exp, ctx: JSON.stringify(context) } }),
  ],
  'context with more in it': [
    'META-11',
    ({ claims, context }) =>
      compact({
        header: HEADER,
        claims: { exp: claims.exp, security_context: { ...context, iss: 'x', roles_of: [] } },
      }),
  ],
  encrypted: [
    'RFC 7519 section 5: a JWT may be encrypted',
    ({ claims }) =>
      `${encode({ alg: 'dir', enc: 'A256GCM', cty: 'JWT' })}..aXY.${encode(claims).split('').toReversed().join('')}.dGFn`,
  ],
};

const tokens = Object.entries(jwts).map(
  ([kind, [ground, make]]): Variant => ({
    id: `jwt:${kind}`,
    ground,
    slot: 'jwt',
    does: () => {
      // What it was made of is known to who made it.
      const own = new Map<string, string>();
      return async (asked, next) => {
        const sent = own.get(asked.headers.authorization?.split(' ')[1] ?? '');
        const request =
          sent === undefined
            ? asked
            : {
                ...asked,
                headers: {
                  ...asked.headers,
                  authorization: asked.headers.authorization?.replace(/ .*/, ` ${sent}`),
                },
              };
        return serves('createMetaSyncToken', (reply, call) => {
          const { body } = reply;
          if (!isObject(body) || !isObject(body.data)) return undefined;
          const old = String(body.data.token);
          const [header, claims] = old.split('.');
          const context = call.body.security_context;
          const token = make({
            header: decode(header),
            claims: decode(claims),
            context: isObject(context) ? context : {},
          });
          own.set(token, old);
          return { ...reply, body: { ...body, data: { ...body.data, token } } };
        })()(request, next);
      };
    },
  }),
);

export const tokenVariants: readonly Variant[] = [...lifetimes, ...tokens];
