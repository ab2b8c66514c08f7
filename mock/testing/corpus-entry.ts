/** One entry of the corpus: a request, and the requests before it. */
import type { ServiceEvent } from '../world/service-event.ts';

export interface CorpusRequest {
  /** Name of a credential; null for no Authorization header. Default admin. */
  readonly as?: string | null;
  /** The whole Authorization header, in place of `as`. */
  readonly authorization?: string;
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  /** The body as text, in place of `body`. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly plain?: boolean;
  readonly tooLarge?: boolean;
  /** The credential is the metadata token from the preceding call. */
  readonly withToken?: boolean;
}

export interface CorpusEntry {
  readonly name: string;
  readonly fixture?: string;
  readonly before?: readonly (
    | CorpusRequest
    | { readonly event: ServiceEvent }
    | { readonly days: number }
  )[];
  readonly send: CorpusRequest;
}

export function put(path: string, body: unknown, more: Partial<CorpusRequest> = {}): CorpusRequest {
  return { method: 'PUT', path, body, ...more };
}

export function post(
  path: string,
  body: unknown,
  more: Partial<CorpusRequest> = {},
): CorpusRequest {
  return { method: 'POST', path, body, ...more };
}
