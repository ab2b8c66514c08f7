/** HTTP over sockets, by undici: kept-alive connections, HTTPS_PROXY honoured, no redirects. */

import { rootCertificates } from 'node:tls';
import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import { isLoopback, NetworkError, type Transport } from './target.ts';

export interface TransportOptions {
  /** CA certificates in PEM, beside those that Node trusts. */
  readonly ca?: string | undefined;
  readonly connections: number;
  readonly timeoutMs?: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function httpTransport(options: TransportOptions): {
  send: Transport;
  close: () => Promise<void>;
} {
  const limits = {
    connections: options.connections,
    headersTimeout: options.timeoutMs ?? 60_000,
    bodyTimeout: options.timeoutMs ?? 60_000,
    keepAliveTimeout: 10_000,
    ...(options.ca === undefined ? {} : { connect: { ca: [...rootCertificates, options.ca] } }),
  };
  const direct = new Agent(limits);
  const proxied = proxyAgent(options, limits);
  const send: Transport = async (wire, signal) => {
    const dispatcher = proxied !== undefined && !isLoopback(wire.url) ? proxied : direct;
    try {
      const answer = await request(wire.url, {
        method: wire.method as Dispatcher.HttpMethod,
        headers: wire.headers,
        body: wire.body ?? null,
        dispatcher,
        signal: signal ?? null,
      });
      const text = await answer.body.text();
      return { status: answer.statusCode, headers: answer.headers as Record<string, string>, text };
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      throw networkError(error);
    }
  };
  const close = async (): Promise<void> => {
    await Promise.all([direct.destroy(), proxied?.destroy()]);
  };
  return { send, close };
}

function proxyAgent(options: TransportOptions, limits: Agent.Options): Dispatcher | undefined {
  const { env } = options;
  const proxy = env.HTTPS_PROXY ?? env.https_proxy;
  if (proxy === undefined || proxy === '') return undefined;
  const { connect, ...rest } = limits;
  return new EnvHttpProxyAgent({
    ...rest,
    httpProxy: proxy,
    httpsProxy: proxy,
    noProxy: env.NO_PROXY ?? env.no_proxy ?? '',
    ...(options.ca === undefined ? {} : { requestTls: { ca: options.ca } }),
  });
}

function networkError(error: unknown): NetworkError {
  const { code, message, cause } = error as {
    code?: string;
    message?: string;
    cause?: { code?: string };
  };
  const name = code ?? cause?.code ?? 'NETWORK';
  return new NetworkError(name, `${name}: ${message ?? 'the connection failed'}`);
}
