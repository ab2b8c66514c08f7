/** Judges recorded traffic by the same rules as the proxy. */

import { resolve } from 'node:path';
import { Refused, readText } from '../../spec/base/refused.ts';
import { readHar } from '../watch/har-traffic.ts';
import type { Exchange } from '../watch/traffic.ts';
import type { Begun } from '../watch/watcher.ts';
import type { Certified } from './command.ts';
import { readTenant } from './open-target.ts';
import { pathIn } from './options.ts';
import { type WatchedOptions, type WatchIo, watcherOf } from './watch-target.ts';

/** Throws LoadError and Refused. */
export async function grade(har: string, options: WatchedOptions, io: WatchIo): Promise<Certified> {
  const filed = readTenant(options, io.cwd);
  const { baseUrl } = filed.tenant ?? {};
  const wanted = baseUrl === undefined ? undefined : new URL(baseUrl).origin;
  const path = resolve(io.cwd, har);
  const text = readText(path);
  const { exchanges, skipped, origin = wanted, hides } = readHar(har, text, wanted);
  for (const [why, count] of skipped)
    io.onWarning?.(`${har}: skipped ${count} of its entries: ${why}`);
  if (origin === undefined || exchanges.length === 0) {
    const of =
      wanted === undefined ? 'a path of the service' : `a path of the service at ${wanted}`;
    throw new Refused(
      `${har}: no entry that was answered has ${of}; record the client's calls, and name the host as baseUrl in a tenant file`,
    );
  }
  const watcher = await watcherOf(
    origin,
    filed,
    { ...options, hides, evidence: options.out !== undefined },
    io,
  );
  const begun = new Map<Exchange, Begun>();
  // Start and end times show which exchanges ran at the same time.
  const moments = exchanges.flatMap((exchange) => [
    { at: exchange.request.sentAt, ends: false, exchange },
    { at: exchange.request.sentAt + exchange.durationMs, ends: true, exchange },
  ]);
  for (const { ends, exchange } of moments.sort(
    (a, b) => a.at - b.at || Number(a.ends) - Number(b.ends),
  )) {
    const known = begun.get(exchange);
    if (!ends) begun.set(exchange, watcher.begin(exchange.request));
    else if (known !== undefined) watcher.end(exchange, known);
    if (ends) begun.delete(exchange);
  }
  return { ...watcher.finish(), out: pathIn(io.cwd, options.out) };
}
