/** One exchange as an entry of a HAR 1.2 file, which browsers and proxies read. */

export interface HarPair {
  readonly name: string;
  readonly value: string;
}

export type HarEntry = ReturnType<typeof harEntry>;

/** An exchange in which nothing is secret any more. */
export interface HarExchange {
  /** In ms since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly method: string;
  readonly url: string;
  readonly headers: readonly HarPair[];
  readonly postData: { readonly mimeType: string; readonly text: string } | undefined;
  /** 0 where no answer came. */
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
      // A browser's HAR has it so, too, where no answer came.
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

/** A HAR file of entries, with whatever fields of their own they have. `comment` is for who reads it. */
export function harLog(entries: readonly HarEntry[], version: string, comment?: string) {
  const creator = { name: 'lockstep', version };
  return { log: { version: '1.2', creator, ...(comment && { comment }), entries } };
}
