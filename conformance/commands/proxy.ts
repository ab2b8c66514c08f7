/** A proxy between a client and the service: it passes everything through and judges it. */

import { dirname, resolve } from 'node:path';
import { rootCertificates } from 'node:tls';
import { Refused, readText } from '../../spec/base/refused.ts';
import { isLoopback } from '../target/target.ts';
import { basisText } from '../watch/basis.ts';
import { type ProxyJournal, passThrough } from '../watch/pass-through.ts';
import type { Begun, WatchedEntry } from '../watch/watcher.ts';
import type { Certified } from './command.ts';
import {
  authorityOf,
  clientOf,
  mustLookAtCertificates,
  plainUrl,
  readTenant,
} from './open-target.ts';
import { pathIn } from './options.ts';
import { type WatchedOptions, type WatchIo, watcherOf } from './watch-target.ts';

export interface ProxyOptions extends WatchedOptions {
  /** Address of the service. */
  readonly to: string;
  /** 0 for a free one. */
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** PEM file of a CA to trust, next to those that Node trusts. */
  readonly ca?: string | undefined;
  /** Requests per second at most. */
  readonly rate?: number | undefined;
  readonly headers?: 'on' | 'off' | undefined;
  readonly adminToken?: string | undefined;
}

export interface ProxyIo extends WatchIo {
  readonly journal: ProxyJournal;
}

export interface Proxy {
  readonly baseUrl: string;
  /** Ends the proxy and aborts exchanges that are under way. */
  close(): Promise<Certified>;
}

/** Listens. Throws LoadError and Refused. */
export async function startProxy(options: ProxyOptions, io: ProxyIo): Promise<Proxy> {
  const { port, host = '127.0.0.1', rate, adminToken: token, headers = 'on' } = options;
  const to = addressOf(options.to);
  mustLookAtCertificates(io.env, to);
  if (!isLoopback(`http://${host.includes(':') ? `[${host}]` : host}`) && token === undefined)
    io.onWarning?.(`it listens on ${host}: anybody who reaches it can send requests to ${to}`);
  const filed = readTenant(options, io.cwd);
  const tls = filed.tenant?.tls ?? {};
  const sources = {
    folder: dirname(filed.path ?? ''),
    isTrusted: options.allowCommand === true,
    otherwise: 'name it with --ca',
  };
  const authority =
    options.ca === undefined ? authorityOf(tls, sources) : readText(resolve(io.cwd, options.ca));
  const ca = authority === undefined ? undefined : [...rootCertificates, authority];
  const evidence = options.out !== undefined;
  const { journal } = io;
  const onEntry = (entry: WatchedEntry): void => journal.record(entry);
  const watcher = await watcherOf(to, filed, { ...options, evidence, onEntry }, io);
  journal.onReport(() => watcher.report());
  // An exchange that cannot be judged is passed on all the same. The message may quote it, so it is not shown.
  const unharmed = <Value>(judge: () => Value): Value | undefined => {
    try {
      return judge();
    } catch (error) {
      io.onWarning?.(`an exchange could not be judged: ${(error as Error).name}; please report it`);
      return undefined;
    }
  };
  const passing = await passThrough({
    ...{ to, port, host, ca, rate, client: clientOf(tls, sources) },
    own: (request, response) => journal.answers(request, response),
    onBegin: (head) => watcher.begin(head),
    onEnd: (exchange, begun) => unharmed(() => watcher.end(exchange, begun as Begun)),
    grade: (answer, begun) => {
      // A mock has graded its own.
      const isGraded = headers === 'off' || answer.headers['lockstep-basis'] !== undefined;
      const basis = isGraded ? undefined : unharmed(() => watcher.basis(answer));
      if (basis === undefined) return [];
      const entry = `${passing.baseUrl}/__admin/requests/${(begun as Begun).number}`;
      const refused = answer.status >= 400 ? ['Lockstep-Entry', entry] : [];
      return ['Lockstep-Basis', basisText(basis), ...refused];
    },
  });
  return {
    baseUrl: passing.baseUrl,
    close: async () => {
      await passing.close();
      // Exchanges that have just ended are judged in the next turn of the event loop.
      await new Promise((done) => setImmediate(done));
      return { ...watcher.finish(), out: pathIn(io.cwd, options.out) };
    },
  };
}

/** Throws Refused. */
function addressOf(to: string): string {
  const { protocol, origin, pathname } = plainUrl(to, '--to');
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(to)))
    throw new Refused(
      '--to: only https is accepted beyond this machine: credentials would travel in the clear',
    );
  return `${origin}${pathname}`.replace(/\/$/, '');
}
