/** One entry of the corpus: a request, and the requests before it. */
import type { ServiceEvent } from '../world/service-event.ts';

export interface CorpusRequest {
  /** Name of a credential; null for no Authorization header. Default admin. */
  readonly as?: string | null;
  /** Whole Authorization header, instead of `as`. */
  readonly authorization?: string;
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  /** Body as text, instead of `body`. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly plain?: boolean;
  readonly tooLarge?: boolean;
  /** The metadata token of the call before it is the credential. */
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
