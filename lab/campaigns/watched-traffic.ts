/** Passes the traffic of a run in this process to a watcher, like the proxy. */
import { watchFacts } from '../../conformance/areas/watch.ts';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import { NetworkError, type Target, type Transport } from '../../conformance/target/target.ts';
import { type Exchange, noBody } from '../../conformance/watch/traffic.ts';
import { Watcher, type WatchOptions } from '../../conformance/watch/watcher.ts';
import { Redactor } from '../../spec/base/redactor.ts';
import { version } from '../../spec/base/version.ts';

/** A watcher for a target in this process, and the findings that it reports. */
export function watcherOf(target: Target, more: Partial<WatchOptions> = {}) {
  const violations: string[] = [];
  const watcher = new Watcher({
    ...{ target, facts: watchFacts, redactor: new Redactor(), runId: 'lab', version },
    ...{ suiteSha256: loadOwnSuite().sha256, evidence: false },
    onViolation: (text) => violations.push(text),
    ...more,
  });
  return { watcher, violations };
}

/** `now` reads the clock, which moves only while the runner waits. */
export function watched(
  send: Transport,
  watcher: () => Watcher,
  root: string,
  now = Date.now,
): Transport {
  return async (request, signal) => {
    const { method, url, headers, body } = request;
    if (url.includes('/__admin/')) return send(request, signal);
    const head = { method, target: url.slice(root.length), headers, sentAt: now() };
    const begun = watcher().begin(head);
    const told = (exchange: Pick<Exchange, 'status' | 'headers' | 'body' | 'ending'>): void =>
      watcher().end(
        {
          request: head,
          sent: bodyOf(body),
          ...exchange,
          durationMs: Math.max(0, now() - head.sentAt),
        },
        begun,
      );
    try {
      const answer = await send(request, signal);
      told({ ...answer, body: bodyOf(answer.text), ending: 'whole' });
      return answer;
    } catch (error) {
      if (error instanceof NetworkError)
        told({ status: 0, headers: {}, body: noBody, ending: 'died' });
      throw error;
    }
  };
}

const bodyOf = (text: string | undefined) => (text ? { bytes: Buffer.from(text) } : noBody);
