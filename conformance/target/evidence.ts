/** Evidence: every exchange of a run, redacted, as HAR 1.2 files beside the report. */

import { createHash } from 'node:crypto';
import type { EvidenceFile } from '../judge/report.ts';
import type { WireAnswer } from '../language/answer.ts';
import type { Redactor } from './redact.ts';
import type { WireRequest } from './target.ts';

/** Where an exchange belongs. */
export interface Occasion {
  readonly scenario: string;
  readonly step: string;
  /** `call` is judged; the rest is the engine's own. */
  readonly kind: 'call' | 'probe' | 'protect' | 'restore' | 'preflight' | 'bracket';
  /** It was not answered by the service, and was sent again. */
  readonly again?: true;
}

export interface HarEntry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly httpVersion: string;
    readonly cookies: readonly never[];
    readonly headers: readonly HarPair[];
    readonly queryString: readonly HarPair[];
    readonly postData?: { readonly mimeType: string; readonly text: string };
    readonly headersSize: -1;
    readonly bodySize: number;
  };
  readonly response: {
    readonly status: number;
    readonly statusText: string;
    readonly httpVersion: string;
    readonly cookies: readonly never[];
    readonly headers: readonly HarPair[];
    readonly content: { readonly size: number; readonly mimeType: string; readonly text: string };
    readonly redirectURL: string;
    readonly headersSize: -1;
    readonly bodySize: number;
  };
  readonly cache: Readonly<Record<string, never>>;
  readonly timings: { readonly send: 0; readonly wait: number; readonly receive: 0 };
  readonly _lockstep: Occasion & { readonly throttled: number };
}

interface HarPair {
  readonly name: string;
  readonly value: string;
}

/** Collects the exchanges of a run by file; what it keeps holds no secret. */
export class Evidence {
  readonly #redactor: Redactor;
  readonly #files = new Map<string, HarEntry[]>();
  readonly #keep: boolean;

  constructor(redactor: Redactor, keep = true) {
    this.#redactor = redactor;
    this.#keep = keep;
  }

  /** Answers with the reference by which reports name the entry; empty where nothing is kept. */
  add(file: string, occasion: Occasion, request: WireRequest, answer: WireAnswer): string {
    if (!this.#keep) return '';
    const name = `evidence/${file}.har`;
    let entries = this.#files.get(name);
    if (entries === undefined) {
      entries = [];
      this.#files.set(name, entries);
    }
    entries.push(harEntry(this.#redactor, occasion, request, answer));
    return `${name}#${entries.length - 1}`;
  }

  /** The files, as text, with what the report says about them. */
  files(): { readonly about: EvidenceFile; readonly text: string }[] {
    return [...this.#files].map(([file, entries]) => {
      const log = { version: '1.2', creator: { name: 'lockstep', version: '1' }, entries };
      const text = `${JSON.stringify({ log })}\n`;
      const sha256 = createHash('sha256').update(text).digest('hex');
      return { about: { file, sha256, entries: entries.length }, text };
    });
  }
}

/** `scenarios/staging/toggle.yaml` -> `staging-toggle`. */
export function evidenceName(file: string): string {
  return file
    .replace(/^.*scenarios\//, '')
    .replace(/\.ya?ml$/, '')
    .replaceAll(/[^\w-]+/g, '-');
}

function harEntry(
  redactor: Redactor,
  occasion: Occasion,
  request: WireRequest,
  answer: WireAnswer,
): HarEntry {
  const pairs = (headers: Readonly<Record<string, string | readonly string[]>>): HarPair[] =>
    Object.entries(headers).flatMap(([name, value]) =>
      [value].flat().map((item) => ({ name, value: redactor.header(name, item) })),
    );
  const url = redactor.text(request.url);
  const search = url.includes('?') ? new URLSearchParams(url.slice(url.indexOf('?'))) : [];
  const type = answer.headers['content-type'];
  const text = redactor.text(answer.text);
  const location = answer.headers.location;
  return {
    startedDateTime: new Date(answer.sentAt).toISOString(),
    time: answer.durationMs,
    request: {
      method: request.method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(request.headers),
      queryString: [...search].map(([name, value]) => ({ name, value })),
      ...(request.body === undefined
        ? {}
        : {
            postData: {
              mimeType: request.headers['content-type'] ?? '',
              text: redactor.text(request.body),
            },
          }),
      headersSize: -1,
      bodySize: request.body?.length ?? 0,
    },
    response: {
      status: answer.status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(answer.headers),
      content: { size: text.length, mimeType: typeof type === 'string' ? type : '', text },
      redirectURL: typeof location === 'string' ? redactor.text(location) : '',
      headersSize: -1,
      bodySize: text.length,
    },
    cache: {},
    timings: { send: 0, wait: answer.durationMs, receive: 0 },
    _lockstep: { ...occasion, throttled: answer.throttled },
  };
}
