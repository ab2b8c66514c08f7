/**
 * Reads traffic that a browser or a proxy has recorded (HAR 1.2) for the watcher. Entries of other
 * hosts, without an answer, or from a cache are skipped and counted.
 */

import { isObject, type JsonObject, parseJson } from '../../spec/base/json.ts';
import { Refused } from '../../spec/base/refused.ts';
import { isOfService } from './basis.ts';
import { byName } from './hop-headers.ts';
import { shapesHeader } from './shapes.ts';
import { type Body, type Exchange, type Headers, mostJudged, noBody, tooLarge } from './traffic.ts';

export interface Recorded {
  /** In the order in which they were sent. */
  readonly exchanges: readonly Exchange[];
  /** The number of skipped entries, by reason. */
  readonly skipped: ReadonlyMap<string, number>;
  /** The one origin of the exchanges. */
  readonly origin: string | undefined;
  /** Whether the recorder may have removed credentials. */
  readonly hides: boolean;
}

/**
 * `origin`: the origin of the service; by default that of most calls to its paths. Throws Refused
 * with the error, its place, and the next step.
 */
export function readHar(file: string, text: string, origin?: string): Recorded {
  const har = parseJson(text.startsWith('\ufeff') ? text.slice(1) : text);
  if (har === undefined)
    throw new Refused(`${file}: ${whereNoJson(text)}; export the traffic as HAR 1.2 again`);
  const log = isObject(har) ? har.log : undefined;
  if (!isObject(log) || !Array.isArray(log.entries))
    throw new Refused(
      `${file}: /log/entries is not a list, so this is not a HAR file; export the traffic as HAR 1.2`,
    );
  const skipped = new Map<string, number>();
  const entries = log.entries.map((entry: unknown, index) => read(file, entry, index));
  const wanted = origin ?? mostCalled(entries);
  const exchanges = entries.flatMap(({ url, why, exchange }): Exchange[] => {
    const reason =
      url.origin !== wanted
        ? 'another host'
        : isOfService(url.pathname)
          ? why
          : 'a path that is not of the service';
    if (reason === undefined) return [exchange];
    skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
    return [];
  });
  const creator = isObject(log.creator) ? log.creator.name : undefined;
  return {
    exchanges: exchanges.sort((a, b) => a.request.sentAt - b.request.sentAt),
    // Our journals also leave out credentials. Our evidence has their names.
    hides:
      creator !== 'lockstep' || !log.entries.every((one) => isObject(one) && '_lockstep' in one),
    ...{ skipped, origin: wanted },
  };
}

interface Entry {
  readonly url: URL;
  readonly why: string | undefined;
  readonly exchange: Exchange;
}

/**
 * The place of a JSON error, without the parser's message, which could quote a secret of the file.
 */
function whereNoJson(text: string): string {
  // Finds the longest prefix that could still become JSON. The error is after it.
  let [good, bad] = [0, text.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (mayGoOn(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  const before = text.slice(0, mayGoOn(text) ? text.length : good).split('\n');
  return `it is not JSON from line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1} on`;
}

function mayGoOn(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const position = Number(/position (\d+)/.exec(message)?.[1] ?? -1);
    return /end of JSON|Unterminated/.test(message) || position >= text.length;
  }
}

function mostCalled(entries: readonly Entry[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { url } of entries)
    if (isOfService(url.pathname)) counts.set(url.origin, (counts.get(url.origin) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

function read(file: string, entry: unknown, index: number): Entry {
  const place = `/log/entries/${index}`;
  const wrong = (pointer: string, what: string): never => {
    throw new Refused(
      `${file}: ${place}${pointer} ${what}; take the entry out, or export the traffic as HAR 1.2 again`,
    );
  };
  if (!isObject(entry)) return wrong('', 'is not an object');
  const { request, response } = entry;
  if (!isObject(request) || typeof request.url !== 'string' || typeof request.method !== 'string')
    return wrong('/request', 'has no method and url');
  if (!URL.canParse(request.url)) return wrong('/request/url', 'is not a URL');
  if (!isObject(response)) return wrong('/response', 'is not an object');
  const url = new URL(request.url);
  const sentAt = Date.parse(String(entry.startedDateTime));
  if (Number.isNaN(sentAt)) return wrong('/startedDateTime', 'is not a time');
  const status = Number(response.status);
  const asked = headersIn(request.headers);
  // Bodies in a HAR file are already decoded.
  const { 'content-encoding': _coding, ...headers } = headersIn(response.headers);
  const sent = postData(request.postData, Number(request.bodySize ?? 0));
  const exchange: Exchange = {
    request: {
      method: request.method.toUpperCase(),
      target: url.pathname + url.search,
      headers: asked,
      sentAt,
    },
    sent: keptShapes(asked) ?? sent,
    status,
    headers,
    body: keptShapes(headers) ?? contentOf(response.content, request.method, status),
    ending: 'whole',
    durationMs: Math.max(0, Number(entry.time ?? 0)) || 0,
  };
  return { url, why: whySkipped(entry, response, status), exchange };
}

function whySkipped(entry: JsonObject, response: JsonObject, status: number): string | undefined {
  const fetched = String(response._fetchedViaServiceWorker ?? 'false');
  if (entry._fromCache !== undefined || response._transferSize === 0 || fetched === 'true')
    return 'answered from a cache';
  const blocked = entry._blocked !== undefined || entry._blockedReason !== undefined;
  if (blocked || !(status > 0)) return 'blocked, or not answered';
  return typeof response._error === 'string' ? 'broken off' : undefined;
}

/** Names in lower case, as HTTP/2 has them, and without its pseudo headers. */
function headersIn(list: unknown): Headers {
  const pairs = Array.isArray(list) ? list.filter(isObject) : [];
  return byName(
    pairs.flatMap(({ name, value }) =>
      typeof name === 'string' && !name.startsWith(':') ? [[name, String(value ?? '')]] : [],
    ),
  );
}

/** Our proxy records only the shapes of bodies. */
function keptShapes(headers: Headers): Body | undefined {
  if (headers[shapesHeader] === undefined) return undefined;
  return { bytes: undefined, missing: 'the file holds the shapes of bodies alone (--keep-bodies)' };
}

function postData(data: unknown, size: number): Body {
  const { text, encoding } = isObject(data) ? data : {};
  if (typeof text === 'string') return bodyOf(text, encoding);
  return size > 0
    ? { bytes: undefined, missing: 'the file does not hold the body that was sent' }
    : noBody;
}

/** The body of an answer. A body that was not recorded is not an empty body. */
function contentOf(content: unknown, method: string, status: number): Body {
  const { text, encoding, size } = isObject(content) ? content : {};
  if (typeof text === 'string' && text !== '') return bodyOf(text, encoding);
  const hasNone =
    method === 'HEAD' || status === 204 || status === 304 || (text === '' && !(Number(size) > 0));
  return hasNone
    ? noBody
    : { bytes: undefined, missing: 'the file does not hold the body of the answer' };
}

function bodyOf(text: string, encoding: unknown): Body {
  const bytes = Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8');
  return bytes.length > mostJudged ? { bytes: undefined, missing: tooLarge } : { bytes };
}
