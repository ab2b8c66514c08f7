/** HTTP over sockets, by undici: kept-alive connections, HTTPS_PROXY honoured, no redirects. */

import { rootCertificates } from 'node:tls';
import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import { Refused } from '../../spec/base/refused.ts';
import { bodyBytes, callMs } from './limits.ts';
import { AnswerTooLarge, isLoopback, NetworkError, type Transport } from './target.ts';

export interface TransportOptions {
  /** CA certificates in PEM, next to those that Node trusts. */
  readonly ca?: string | undefined;
  /** The client's own certificate and its key, PEM. */
  readonly client?: { readonly cert: string; readonly key: string } | undefined;
  readonly connections: number;
  /** The longest that one call may take; default `callMs`. */
  readonly timeoutMs?: number | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function httpTransport(options: TransportOptions) {
  const timeoutMs = options.timeoutMs ?? callMs;
  const limits = {
    connections: options.connections,
    headersTimeout: Math.min(timeoutMs, 60_000),
    bodyTimeout: Math.min(timeoutMs, 60_000),
    keepAliveTimeout: 10_000,
    connect: trustOf(options),
  };
  const direct = new Agent(limits);
  const proxied = proxyAgent(options, limits);
  const send: Transport = async (wire, signal) => {
    const deadline = AbortSignal.timeout(timeoutMs);
    const dispatcher = proxied !== undefined && !isLoopback(wire.url) ? proxied : direct;
    try {
      const answer = await request(wire.url, {
        method: wire.method as Dispatcher.HttpMethod,
        headers: wire.headers,
        body: wire.body ?? null,
        dispatcher,
        signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
      });
      const text = await readText(answer.body);
      return { status: answer.statusCode, headers: answer.headers as Record<string, string>, text };
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      if (deadline.aborted) {
        throw new NetworkError(`no whole answer came within ${timeoutMs / 1000} s`, true);
      }
      throw networkError(error, wire.url, options.ca);
    }
  };
  const close = async (): Promise<void> => {
    await Promise.all([direct.destroy(), proxied?.destroy()]);
  };
  return { send, close };
}

/** A body as text: all of it or nothing. It comes in pieces of any size, and the pieces are not kept. */
async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  let bytes = Buffer.alloc(0x1_0000);
  let length = 0;
  for await (const piece of body) {
    if (length + piece.length > bodyBytes) {
      throw new AnswerTooLarge(`it is larger than ${bodyBytes} bytes`);
    }
    if (length + piece.length > bytes.length) {
      bytes = Buffer.concat([bytes], Math.min(bodyBytes, 2 * (length + piece.length)));
    }
    length += piece.copy(bytes, length);
  }
  return new TextDecoder().decode(bytes.subarray(0, length));
}

function trustOf({ ca, client }: TransportOptions) {
  return { ...client, ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }) };
}

function proxyAgent(options: TransportOptions, limits: Agent.Options): Dispatcher | undefined {
  const { env } = options;
  const proxy = env.HTTPS_PROXY ?? env.https_proxy;
  if (proxy === undefined || proxy === '') return undefined;
  // It may hold a password, so it is not shown.
  if (!URL.canParse(proxy))
    throw new Refused('HTTPS_PROXY is not a URL: http://HOST:PORT is expected');
  return new EnvHttpProxyAgent({
    ...limits,
    httpProxy: proxy,
    httpsProxy: proxy,
    noProxy: env.NO_PROXY ?? env.no_proxy ?? '',
    // `connect` is for requests without the proxy, this one for requests through it.
    requestTls: trustOf(options),
  });
}

/** No trusted authority has signed the certificate. Node only advises to trust more of them. */
const untrusted: readonly string[] = [
  ...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT'],
  ...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'SELF_SIGNED_CERT_IN_CHAIN'],
  'DEPTH_ZERO_SELF_SIGNED_CERT',
];

/** The server does not speak TLS. The library's own message only names a line of its source. */
const noTls: readonly string[] = ['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'];

function networkError(error: unknown, url: string, ca: string | undefined): NetworkError {
  if (error instanceof NetworkError) return error;
  const { code, message, cause } = error as Partial<NodeJS.ErrnoException>;
  const name = code ?? (cause as NodeJS.ErrnoException | undefined)?.code ?? 'NETWORK';
  if (untrusted.includes(name)) {
    const advice =
      ca === undefined
        ? "name the authority's PEM file in the tenant file, as tls: { ca: company-ca.pem }"
        : 'the file that tls.ca names holds another authority than the one that signed it';
    return new NetworkError(
      `${name}: the certificate of ${new URL(url).host} is from an authority that is not trusted here: ${advice}`,
      true,
    );
  }
  if (noTls.includes(name))
    return new NetworkError(
      `${name}: ${new URL(url).host} does not answer with TLS: is it another port, or plain HTTP (http://)?`,
    );
  return new NetworkError(`${name}: ${message ?? 'the connection failed'}`);
}
