/** An honest tenant: a base whose choices are made otherwise by variants; and what the suite says of it. */
import type { Report } from '../../conformance/judge/report.ts';
import { isFailure } from '../../conformance/judge/verdict.ts';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import type { Ledger } from '../../conformance/safety/ledger.ts';
import {
  NetworkError,
  type Target,
  type Transport,
  type WireRequest,
  type WireResponse,
} from '../../conformance/target/target.ts';
import { parseJson } from '../../spec/base/json.ts';
import { Random } from '../../spec/base/random.ts';
import { type Reply, readCall } from '../deviations/wire.ts';
import { reportOf } from '../exam/suite-run.ts';
import { withLedger } from '../tenant/measure.ts';
import { bases } from './bases.ts';
import {
  type Asked,
  type BaseName,
  CLOSED,
  type Next,
  type Operator,
  type Variant,
} from './variant.ts';

export interface Tenant {
  readonly base: BaseName;
  /** The first is the nearest to the service. */
  readonly variants: readonly Variant[];
  readonly seed: number;
}

export interface HonestTarget {
  readonly target: Target;
  readonly convergenceMs: number;
  /** How many answers are not what the base would have given. */
  readonly effects: () => number;
}

/** The tenant, to be certified. */
export async function honestTarget({ base, variants, seed }: Tenant): Promise<HonestTarget> {
  const seam = new Seam();
  const { target, memory, convergenceMs } = await bases[base](variants, (send) =>
    seam.around(send),
  );
  const { credentials, bindings } = target;
  const random = new Random(seed);
  const operators = variants.flatMap(({ does }) =>
    does === undefined
      ? []
      : [
          does({
            ...memory,
            convergenceMs,
            credentials,
            bindings,
            random: new Random(random.next()),
          }),
        ],
  );
  seam.open(target.baseUrl, operators, variants);
  const told = variants.reduce((named, variant) => variant.bindings?.(named) ?? named, bindings);
  return { target: { ...target, bindings: told }, convergenceMs, effects: () => seam.effects };
}

/** Stands between the runner and a tenant: each request goes through the operators, one at a time. */
class Seam {
  /** How many requests were not answered as the tenant alone would have answered them. */
  effects = 0;
  #send: Transport | undefined;
  #root = '';
  #chain: Next = (asked) => this.#serve(asked);
  #variants: readonly Variant[] = [];
  #last: Promise<unknown> = Promise.resolve();
  /** What the tenant itself was asked last, and what it answered. */
  #served: { readonly asked?: Asked; readonly reply?: Reply } = {};

  around(send: Transport): Transport {
    this.#send = send;
    return (request, signal) => {
      if (request.url.includes('/__admin/')) return send(request, signal);
      // An operator may put the tenant's memory back, so nothing else may happen meanwhile.
      const mine = this.#last.then(() => this.#answer(request));
      this.#last = mine.catch(() => undefined);
      return mine;
    };
  }

  open(root: string, operators: readonly Operator[], variants: readonly Variant[]): void {
    this.#root = root;
    this.#variants = variants;
    this.#chain = operators.reduce<Next>(
      (inner, outer) => (asked) => outer(asked, inner),
      (asked) => this.#serve(asked),
    );
  }

  async #answer({ method, url, headers, body }: WireRequest): Promise<WireResponse> {
    const request = {
      ...{ method, headers, text: body ?? '', secure: url.startsWith('https:') },
      target: url.replace(/^https?:/, 'https:').slice(this.#root.length),
    };
    const asked = readCall(request) ?? request;
    const reply = await this.#chain(asked);
    const wire = written(reply);
    const told = this.#variants.reduce((answer, { writes }) => writes?.(answer) ?? answer, wire);
    const isOwn = this.#served.asked === asked && this.#served.reply === reply && told === wire;
    if (!isOwn) this.effects += 1;
    if (reply.status === CLOSED) throw new NetworkError('ECONNRESET: the connection was closed');
    return told;
  }

  async #serve(asked: Asked): Promise<Reply> {
    const { method, target, headers, text, secure } = asked;
    const root = secure ? this.#root : this.#root.replace('https:', 'http:');
    const sent = { method, url: `${root}${target}`, headers: definedIn(headers) };
    const answer = await this.#send?.({ ...sent, body: text === '' ? undefined : text });
    if (answer === undefined) throw new Error('there is no tenant yet');
    const reply = replyOf(answer);
    this.#served = { asked, reply };
    return reply;
  }
}

const definedIn = (headers: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );

function replyOf({ status, headers, text }: WireResponse): Reply {
  const flat = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
  const isJson = flat['content-type']?.includes('json') === true;
  const body = text === '' ? undefined : isJson ? parseJson(text) : text;
  return { status, headers: flat, body };
}

/** A tenant is no mock: it says nothing of what its answers rest on. */
function written({ status, headers, body }: Reply): WireResponse {
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const told = lowered.filter(
    ([name = '']) => !name.startsWith('lockstep-') && name !== 'content-length',
  );
  const own: Record<string, string> = Object.fromEntries(told);
  if (body === undefined) delete own['content-type'];
  const isText = typeof body === 'string' && own['content-type']?.includes('json') !== true;
  const text = isText ? body : (JSON.stringify(body) ?? '');
  return { status, headers: own, text };
}

export interface Answer {
  /** Statements that failed and what else went wrong, each with its first place; none if it passed. */
  readonly refused: readonly string[];
  /** Promises that could not be tested, with the reason. */
  readonly gaps: readonly { readonly id: string; readonly reason: string }[];
  readonly effects: number;
  readonly requests: number;
}

const suite = loadOwnSuite();

/** The report of the suite on a tenant. `through`: the way to it. */
export async function certified(
  tenant: Tenant,
  only: readonly string[] = [],
  through: (send: Transport) => Transport = (send) => send,
): Promise<Report & { readonly effects: number }> {
  const { target: own, convergenceMs, effects } = await honestTarget(tenant);
  const target = { ...own, transport: through(own.transport) };
  try {
    const run = (more: { readonly openLedger?: () => Ledger }) =>
      reportOf(suite, target, { convergenceMs, jobs: 8, only }, more);
    const report = await (target.kind === 'tenant'
      ? withLedger((openLedger) => run({ openLedger }))
      : run({}));
    return { ...report, effects: effects() };
  } finally {
    await target.close();
  }
}

/** What the suite makes of a tenant that it has to pass. */
export async function examineTenant(tenant: Tenant): Promise<Answer> {
  try {
    const report = await certified(tenant);
    return { ...marked(report), effects: report.effects, requests: report.requests.total };
  } catch (error) {
    return {
      refused: [`broke off: ${(error as Error).message}`],
      gaps: [],
      effects: 0,
      requests: 0,
    };
  }
}

/** Pure: what in a report refuses the tenant, and what it left untested. */
export function marked({
  statements,
  exitCode,
  leftBehind,
}: Report): Pick<Answer, 'refused' | 'gaps'> {
  const failed = statements.flatMap(({ id, verdict, checks }) => {
    if (!isFailure(verdict)) return [];
    const first = checks.find((check) => check.verdict === verdict);
    const { scenario, step, expected, actual, pointer = '' } = first ?? {};
    const told = JSON.stringify({ pointer, expected, actual })?.slice(0, 300);
    return [`${id} ${verdict}: ${scenario} / ${step}: ${told}`];
  });
  const left = leftBehind.map((object) => `left changed: ${JSON.stringify(object).slice(0, 300)}`);
  const refused = [...failed, ...left];
  if (exitCode !== 0 && refused.length === 0) refused.push(`exit code ${exitCode}`);
  const gaps = statements
    .filter(({ level, verdict }) => level !== 'silent' && verdict === 'not-testable')
    .map(({ id, reason = '' }) => ({ id, reason }));
  return { refused, gaps };
}
