/** What a call mints, and how a deviation mints something else. */
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { answersData } from '../../deviations/answers.ts';
import { field, same } from '../../deviations/changes.ts';
import { type Does, onCheck, onHandling, type Scene } from '../../deviations/does.ts';
import { callOf, sentBody } from '../../deviations/sent.ts';
import { isRefusal } from '../../pipeline/exchange.ts';
import { signMetadataToken } from '../../pipeline/sign.ts';
import { createMetaSyncToken } from './handler.ts';

export const DAY_S = 86_400;
export const HOUR_MS = 3_600_000;

/** The last moment that a Date can hold, ms. */
const LAST_MS = 8_640_000_000_000_000;

export const tokenCall = callOf<'createMetaSyncToken'>;

/** What is minted: times in ms. */
interface Minted {
  readonly context: unknown;
  readonly createdAt: number;
  /** What the answer says. */
  readonly expiresAt: number;
  /** What the token says. */
  readonly exp: number;
}

/** Mints something else than was asked for. The same values leave the answer as it is. */
export const mints = (change: (minted: Minted, scene: Scene) => Partial<Minted>): Does =>
  onHandling(async (next, scene) => {
    const done = await next();
    const data = isRefusal(done) || !isObject(done.body) ? undefined : done.body.data;
    if (isRefusal(done) || !isObject(data)) return done;
    const call = tokenCall(scene.call);
    const expiresAt = Date.parse(String(data.expires_at));
    const minted: Minted = {
      context: call.input.security_context,
      createdAt: Date.parse(String(data.created_at)),
      expiresAt,
      exp: expiresAt,
    };
    const changed = { ...minted, ...change(minted, scene) };
    if (same(minted, changed)) return done;
    const token = await signMetadataToken(scene.world, {
      context: changed.context,
      claim: scene.world.assumptions.choice('META-11'),
      createdAt: minted.createdAt,
      expiresAt: Math.min(changed.exp, LAST_MS),
      environmentId: call.path.environment_id,
    });
    const answer = {
      token,
      created_at: iso(changed.createdAt),
      expires_at: iso(changed.expiresAt),
    };
    return { ...done, body: { data: answer } };
  });

function iso(at: number): string {
  return new Date(Math.min(at, LAST_MS)).toISOString();
}

/** `expires_in` as it was sent, in seconds. */
export const sentLifetime = ({ call }: Scene) => tokenCall(call).input.expires_in;

type Seconds = number | undefined;

/** A token of another lifetime (s), said by the answer and the token alike. */
export const lives = (lifetime: (sent: Seconds, scene: Scene) => Seconds): Does =>
  mints(({ createdAt }, scene) => {
    const seconds = lifetime(sentLifetime(scene), scene);
    if (seconds === undefined) return {};
    const end = Math.round(createdAt + seconds * 1000);
    return { expiresAt: end, exp: end };
  });

/** A token of another lifetime where none is sent. */
export const livesByDefault = (seconds: number): Does =>
  lives((sent) => (sent === undefined ? seconds : undefined));

/** A token of another lifetime than the one that is sent. */
export const livesInsteadOf = (lifetime: (sent: number) => number): Does =>
  lives((sent) => (sent === undefined ? undefined : lifetime(sent)));

/** A token with another context. */
export const carries = (change: (context: JsonObject, scene: Scene) => unknown): Does =>
  mints(({ context }, scene) => ({
    context: isObject(context) ? change(context, scene) : context,
  }));

/** The plain values of the context are changed, at whatever depth; undefined leaves one out. */
export const carriesValues = (change: (plain: unknown) => unknown): Does =>
  carries((context) => plainValues(context, change));

function plainValues(value: unknown, change: (plain: unknown) => unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => plainValues(item, change)).filter((item) => item !== undefined);
  }
  if (!isObject(value)) return change(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, plainValues(item, change)]),
  );
}

/** The token is written in another way, from its three parts. */
export const writes = (change: (parts: readonly string[]) => string): Does =>
  answersData((data) =>
    isObject(data)
      ? field('token', (token) => change(String(token).split('.')))(data, undefined)
      : undefined,
  );

/** Takes a context that is missing or no object for an empty one. */
export const takes = (holds: (context: unknown) => boolean): Does =>
  onCheck('validate', (refused, { call, request }) => {
    const sent = sentBody(request);
    if (refused === undefined || sent === undefined || !holds(sent.security_context)) {
      return refused;
    }
    const input = { ...sent, security_context: {} };
    if ((call.operation.body?.validate(input) ?? []).length > 0) return refused;
    const own = tokenCall(call);
    own.input = input as typeof own.input;
    return createMetaSyncToken.validate?.(own);
  });
