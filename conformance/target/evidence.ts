/** Evidence: every exchange of a run, redacted, as HAR 1.2 files beside the report. */

import { createHash } from 'node:crypto';
import { type HarEntry, type HarPair, harEntry, harLog } from '../../spec/base/har.ts';
import { version } from '../../spec/base/version.ts';
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
  /** The wait of its step was over: it only looked whether the change showed after all. */
  readonly late?: true | undefined;
}

export interface EvidenceEntry extends HarEntry {
  readonly _lockstep: Occasion & { readonly throttled: number };
}

/** Collects the exchanges of a run by file; what it keeps holds no secret. */
export class Evidence {
  readonly #redactor: Redactor;
  readonly #files = new Map<string, EvidenceEntry[]>();
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
    entries.push(entryOf(this.#redactor, occasion, request, answer));
    return `${name}#${entries.length - 1}`;
  }

  /** The files, as text, with what the report says about them. */
  files(): { readonly about: EvidenceFile; readonly text: string }[] {
    return [...this.#files].map(([file, entries]) => {
      const text = `${JSON.stringify(harLog(entries, version))}\n`;
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

function entryOf(
  redactor: Redactor,
  occasion: Occasion,
  request: WireRequest,
  answer: WireAnswer,
): EvidenceEntry {
  const pairs = (headers: Readonly<Record<string, string | readonly string[]>>): HarPair[] =>
    Object.entries(headers).flatMap(([name, value]) =>
      [value].flat().map((item) => ({ name, value: redactor.header(name, item) })),
    );
  const { body } = request;
  const mimeType = request.headers['content-type'] ?? '';
  const type = answer.headers['content-type'];
  const text = redactor.text(answer.text);
  const location = answer.headers.location;
  const entry = harEntry({
    startedAt: answer.sentAt,
    durationMs: answer.durationMs,
    method: request.method,
    url: redactor.text(request.url),
    headers: pairs(request.headers),
    postData: body === undefined ? undefined : { mimeType, text: redactor.text(body) },
    status: answer.status,
    statusText: '',
    answerHeaders: pairs(answer.headers),
    content: { size: text.length, mimeType: typeof type === 'string' ? type : '', text },
    redirectUrl: typeof location === 'string' ? redactor.text(location) : '',
  });
  return { ...entry, _lockstep: { ...occasion, throttled: answer.throttled } };
}
