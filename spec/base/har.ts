/** One exchange as an entry of a HAR 1.2 file, the format of browsers and proxies. */

export interface HarPair {
  readonly name: string;
  readonly value: string;
}

export type HarEntry = ReturnType<typeof harEntry>;

/** An exchange without secrets. */
export interface HarExchange {
  /** In ms since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly method: string;
  readonly url: string;
  readonly headers: readonly HarPair[];
  readonly postData: { readonly mimeType: string; readonly text: string } | undefined;
  /** 0 if no answer came. */
  readonly status: number;
  readonly statusText: string;
  readonly answerHeaders: readonly HarPair[];
  readonly content: {
    readonly size: number;
    readonly mimeType: string;
    readonly text?: string;
    readonly comment?: string;
  };
  readonly redirectUrl: string;
}

export function harEntry(exchange: HarExchange) {
  const { startedAt, durationMs, method, url, postData, status, content } = exchange;
  const search = url.includes('?') ? url.slice(url.indexOf('?')) : '';
  const queryString = [...new URLSearchParams(search)].map(([name, value]) => ({ name, value }));
  const message = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: durationMs,
    request: {
      ...message,
      method,
      url,
      headers: exchange.headers,
      queryString,
      bodySize: Buffer.byteLength(postData?.text ?? ''),
      ...(postData && { postData }),
    },
    response: {
      ...message,
      // A browser's HAR does the same if no answer came.
      httpVersion: status === 0 ? '' : message.httpVersion,
      status,
      statusText: exchange.statusText,
      headers: exchange.answerHeaders,
      content,
      redirectURL: exchange.redirectUrl,
      bodySize: content.text === undefined ? -1 : content.size,
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
  };
}

/** A HAR file of entries, which may have fields of their own. `comment` is for the reader. */
export function harLog(entries: readonly HarEntry[], version: string, comment?: string) {
  const creator = { name: 'lockstep', version };
  return { log: { version: '1.2', creator, ...(comment && { comment }), entries } };
}
