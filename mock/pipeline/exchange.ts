/** Requests and answers as plain values: adapters pass requests in and send answers out. */
import type { Reason } from '../world/explanation.ts';
import type { Strike } from '../world/faults.ts';

export interface ExchangeRequest {
  readonly method: string;
  /** Path and query as they came, undecoded. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array | undefined;
  /** The body is larger than the limit. It is undefined if it is too large to be read. */
  readonly tooLarge?: boolean;
  /** The request came without TLS to an address that serves HTTPS. */
  readonly plain?: boolean;
  /** The peer is not on this machine; undefined if the request came without a socket. */
  readonly remote?: boolean;
  /** The request came over TLS. */
  readonly secure?: boolean;
}

export interface ExchangeResponse {
  readonly status: number;
  /** Names in the spelling in which they are sent. */
  readonly headers: Record<string, string>;
  /** Text, a stream of text in pieces, or nothing. */
  readonly body: string | Iterable<string> | AsyncIterable<string> | null;
  /** A fault that the adapter applies while it sends. */
  readonly fault?: TransportFault | undefined;
}

export interface TransportFault {
  /** A cut in the middle of the body, or before the first byte. */
  readonly cut?: Strike['cut'];
  readonly delayMs?: number | undefined;
  /** How long it takes to send the body. */
  readonly dripMs?: number | undefined;
  /** Registers a function that ends a delay or a stall early; the result unregisters it. */
  readonly hold?: (end: () => void) => () => void;
}

/** An answer of an operation before it is written out: the body is still a value. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON value, undefined for no body, or a stream of text for other media types. */
  readonly body: unknown;
  /** Rows of text, for a body that is not JSON. */
  readonly stream?: Iterable<string>;
  /** A body that is sent unchanged. */
  readonly text?: string;
}

/** The refusal of a request, with the statement that it rests on. */
export interface Refusal extends Reason {
  readonly refused: true;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** SCIM's word for the kind of error. */
  readonly scimType?: string;
}

/** The outcome of an operation. */
export type Handled = Reply | Refusal;

export function refusal(status: number, statement: string, message: string, at?: string): Refusal {
  return { refused: true, status, statement, message, at };
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refused' in value;
}

/** The whole body of an answer, even if it is streamed. */
export async function bodyText({ body }: ExchangeResponse): Promise<string> {
  if (body === null) return '';
  if (typeof body === 'string') return body;
  let text = '';
  for await (const piece of body) text += piece;
  return text;
}

/** An error of Lockstep itself, not of the service. */
export function plainError(status: number, error: string): ExchangeResponse {
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  return { status, headers, body: JSON.stringify({ error }) };
}

/** The host names that a mock answers to. A web page can point its own name at this machine. */
const OWN = /^(localhost|[a-z0-9.-]+\.localhost|127(\.\d+){3}|\[::1\]|::1)$/;

/** Whether a name, or an address to listen on, leads only to this machine. */
export function isThisMachine(name: string): boolean {
  return OWN.test(name);
}

/** Whether a request names this machine, an allowed name, or no host. */
export function isOwnHost(
  { headers: { host }, remote }: ExchangeRequest,
  allowed: readonly string[] = [],
): boolean {
  if (host === undefined) return true;
  const name = host.replace(/:\d+$/, '').toLowerCase();
  // No name under .invalid exists on a network (RFC 2606), so such a request came without a socket.
  if (remote === undefined && name.endsWith('.invalid')) return true;
  return isThisMachine(name) || allowed.includes(name);
}
