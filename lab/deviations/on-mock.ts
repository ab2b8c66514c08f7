/** Adapts deviations to the mock's pipeline: a world of the mock becomes a target. */
import { type Decision, mediaTypeOf } from '../../mock/pipeline/decision.ts';
import type { Deviation as MockDeviation, Scene, Serve } from '../../mock/pipeline/deviate.ts';
import { type ExchangeRequest, refusal } from '../../mock/pipeline/exchange.ts';
import type { State } from '../../mock/world/state.ts';
import type { World } from '../../mock/world/world.ts';
import type { Broken } from './does.ts';
import type { Deviation } from './rows.ts';
import { type Call, type Caller, isRefused, type Reply, type Request, readCall } from './wire.ts';

export function onMock({ does, ...record }: Deviation): MockDeviation {
  return {
    ...record,
    async around(request, serve, scene) {
      const call = readCall(readRequest(request));
      if (call === undefined) return serve(request);
      const { target, decided } = targetOf(call, request, serve, scene);
      return decided(await does(call, target));
    },
  };
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

function readRequest({ method, target, headers, body, plain }: ExchangeRequest): Request {
  const text = body === undefined ? '' : decoder.decode(body);
  return { method, target, headers, text, secure: plain !== true };
}

/** The target of a deviation, and the way from its reply to a decision of the pipeline. */
function targetOf(
  own: Call,
  request: ExchangeRequest,
  serve: Serve,
  { world, memory, took }: Scene,
) {
  const decisions = new WeakMap<Reply, Decision>();
  let last: Decision | undefined;
  const target: Broken = {
    memory,
    took,
    callers: callersOf(world),
    now: () => world.clock.now(),
    snapshot: () => world.state.clone(),
    restore: (before) => {
      world.state = (before as State).clone();
    },
    async handle(call) {
      last = await serve(call === own ? request : written(call, request));
      const reply = replyOf(call, last);
      decisions.set(reply, last);
      return reply;
    },
  };
  const decided = (reply: Reply): Decision => decisions.get(reply) ?? decisionOf(reply, last);
  return { target, decided };
}

function written({ method, target, headers, text, secure }: Call, request: ExchangeRequest) {
  const body = text === '' ? undefined : encoder.encode(text);
  return { ...request, method, target, headers, body, plain: !secure };
}

function replyOf({ operation }: Call, { reply, refusal: refused }: Decision): Reply {
  const { status, headers, body, stream } = reply;
  const text = stream === undefined ? undefined : [...stream].join('');
  const type = { 'Content-Type': mediaTypeOf(operation.requires.surface) };
  const typed = body === undefined ? headers : { ...type, ...headers };
  return { status, headers: typed ?? {}, body: text ?? body, why: refused?.statement };
}

/** If the body is a text, it is sent unchanged. */
function decisionOf({ status, headers, body, why = '' }: Reply, last?: Decision): Decision {
  const isText = typeof body === 'string' && !/json/.test(headers['Content-Type'] ?? 'json');
  const stream = isText ? { body: undefined, stream: [body] } : { body };
  const own = last?.refusal ?? refusal(status, why, 'A deviation refuses this');
  return {
    reply: { status, headers, ...stream },
    refusal: isRefused({ status, headers, body }) ? { ...own, status } : null,
    origin: 'injected',
    call: last?.call,
  };
}

const known = new WeakMap<State['tables']['credentials'], readonly Caller[]>();

function callersOf({ id, state }: World): readonly Caller[] {
  const { credentials, users } = state.tables;
  const found = known.get(credentials);
  if (found !== undefined) return found;
  const callers = credentials.rows().map((row) => ({
    name: row.name,
    secret: `${id}-${row.name}`,
    kind: row.kind,
    admin: row.userId !== null && users.get(row.userId)?.admin === true,
    scope: row.deployments ?? undefined,
    expired: row.state !== 'active',
  }));
  known.set(credentials, callers);
  return callers;
}
