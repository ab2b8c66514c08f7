/** The layer between the runner and a tenant in which the operators of variants work. */
import {
  NetworkError,
  type Transport,
  type WireRequest,
  type WireResponse,
} from '../../conformance/target/target.ts';
import { parseJson } from '../../spec/base/json.ts';
import { type Reply, readCall } from '../deviations/wire.ts';
import { type Asked, CLOSED, type Next, type Operator, type Variant } from './variant.ts';

/** The silences that an answer of the mock rests on. */
export function basisOf({ headers }: Pick<WireResponse, 'headers'>): readonly string[] {
  return String(headers['lockstep-basis'] ?? '')
    .split(/[;,] /)
    .slice(1);
}

/** Sends each request through the operators, one request at a time. */
export class Seam {
  /** How often a variant took effect, for example changed an answer. */
  effects = 0;
  #send: Transport | undefined;
  #root = '';
  #chain: Next = (asked) => this.#serve(asked);
  #variants: readonly Variant[] = [];
  #chosen: ReadonlySet<string> = new Set();
  #last: Promise<unknown> = Promise.resolve();
  /** The last request that reached the tenant itself, and its answer. */
  #served: { readonly asked?: Asked; readonly reply?: Reply } = {};

  around(send: Transport): Transport {
    this.#send = send;
    return (request, signal) => {
      if (request.url.includes('/__admin/')) return send(request, signal);
      // An operator may restore the tenant's memory, so requests must not overlap.
      const mine = this.#last.then(() => this.#answer(request));
      this.#last = mine.catch(() => undefined);
      return mine;
    };
  }

  open(root: string, operators: readonly Operator[], variants: readonly Variant[]): void {
    this.#root = root;
    this.#variants = variants;
    this.#chosen = new Set(variants.flatMap(({ assumptions = {} }) => Object.keys(assumptions)));
    this.#chain = operators.reduce<Next>(
      (inner, outer) => (asked) => outer(asked, inner),
      (asked) => this.#serve(asked),
    );
  }

  met(): void {
    this.effects += 1;
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
    if (!isOwn) this.met();
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
    // The mock says which choices an answer rests on. If one of them is a variant's, the variant
    // took effect.
    if (basisOf(reply).some((id) => this.#chosen.has(id))) this.met();
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
  // A file without rows is empty, and still a file.
  const isAbsent = text === '' && (isJson || flat['content-type'] === undefined);
  const body = isAbsent ? undefined : isJson ? parseJson(text) : text;
  return { status, headers: flat, body };
}

/** The answer without the mock's own headers, because a real tenant has none. */
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
