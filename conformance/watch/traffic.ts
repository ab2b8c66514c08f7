/** One request and its answer, from the proxy or from a recorded file. */

import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { DEEPEST, deeperThan } from '../../spec/base/json.ts';

/** Names in lower case. A header that was sent several times is a list. */
export type Headers = Readonly<Record<string, string | readonly string[]>>;

/** A body as far as it was kept. */
export interface Body {
  /** The bytes on the wire; undefined if they were not kept. */
  readonly bytes: Buffer | undefined;
  /** Why the body was not kept, in words. */
  readonly missing?: string | undefined;
}

export const noBody: Body = { bytes: Buffer.alloc(0) };

/** How an exchange ended. `whole`: the answer was complete. */
export type Ending = 'whole' | 'cancelled' | 'died' | 'unreachable';

export interface Head {
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly target: string;
  readonly headers: Headers;
  /** When it was sent, milliseconds since 1970. */
  readonly sentAt: number;
}

export interface Exchange {
  readonly request: Head;
  readonly sent: Body;
  /** 0 if no answer came. */
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  readonly ending: Ending;
  readonly durationMs: number;
}

/** The value of a header. Several values are joined by RFC 9110 section 5.3. */
export function header(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return value === undefined || typeof value === 'string' ? value : value.join(', ');
}

/** The most bytes of a body that are kept and judged. */
export const mostJudged = 2 ** 20;

/** The most codings that are undone. Each costs time, and a header can name thousands. */
const mostCodings = 4;

const most = { maxOutputLength: mostJudged };
const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  identity: (bytes) => bytes,
  gzip: (bytes) => gunzipSync(bytes, most),
  'x-gzip': (bytes) => gunzipSync(bytes, most),
  deflate: (bytes) => inflateSync(bytes, most),
  br: (bytes) => brotliDecompressSync(bytes, most),
  zstd: (bytes) => zstdDecompressSync(bytes, most),
};

/** A body as text; or why it cannot be read. */
export type ReadBody = { readonly text: string } | string;

/** The text of a body. Only the copy is decoded, never the traffic itself. */
export function textOf({ bytes, missing }: Body, headers: Headers): ReadBody {
  if (bytes === undefined) return missing ?? 'the body was not kept';
  const codings = (header(headers, 'content-encoding') ?? 'identity').toLowerCase().split(',');
  if (codings.length > mostCodings) return `it has more than ${mostCodings} Content-Encodings`;
  try {
    let decoded = bytes;
    for (const name of codings.map((coding) => coding.trim()).reverse()) {
      const decode = decoders[name];
      if (decode === undefined) return `its Content-Encoding ${JSON.stringify(name)} is not known`;
      decoded = decoded.length === 0 ? decoded : decode(decoded);
    }
    const text = new TextDecoder().decode(decoded);
    const isTooDeep = /^\s*[[{]/.test(text) && deeperThan(text, DEEPEST);
    return isTooDeep ? `the body is nested deeper than ${DEEPEST} levels` : { text };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ERR_BUFFER_TOO_LARGE'
      ? tooLarge
      : 'the body cannot be decoded as its Content-Encoding says';
  }
}

export const tooLarge = `the body is larger than the ${mostJudged} bytes that are judged`;
