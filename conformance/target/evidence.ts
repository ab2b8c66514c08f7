/** Evidence: every exchange of a run, redacted, as HAR 1.2 files beside the report. */

import { type HarEntry, type HarPair, harEntry, harLog } from '../../spec/base/har.ts';
import type { Redactor } from '../../spec/base/redactor.ts';
import { version } from '../../spec/base/version.ts';
import type { WireAnswer } from '../language/answer.ts';
import { EvidenceFiles, type KeptFile } from './evidence-files.ts';
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

/** The entries of a file of the evidence. */
export function entriesOf(text: string): readonly EvidenceEntry[] {
  return (JSON.parse(text) as { readonly log: { readonly entries: EvidenceEntry[] } }).log.entries;
}

/** Nothing of them is kept: they hold nothing but a secret. */
const secretHeaders = new Set(['cookie', 'set-cookie', 'proxy-authorization', 'x-api-key']);

/** Collects the exchanges of a run by file; what it keeps holds no secret. */
export class Evidence {
  readonly #redactor: Redactor;
  readonly #files: EvidenceFiles | undefined;

  constructor(redactor: Redactor, keep = true) {
    this.#redactor = redactor;
    if (!keep) return;
    const [head = '', tail = ''] = JSON.stringify(harLog([], version)).split(/(?<=\[)(?=\])/);
    this.#files = new EvidenceFiles(head, `${tail}\n`);
  }

  /**
   * Answers with the reference by which reports name the entry; empty where nothing is kept. Throws
   * where the disk takes no more.
   */
  add(file: string, occasion: Occasion, request: WireRequest, answer: WireAnswer): string {
    if (this.#files === undefined) return '';
    const name = `evidence/${file}.har`;
    const entry = this.#redactor.json(entryOf(occasion, request, answer));
    return `${name}#${this.#files.append(name, entry)}`;
  }

  /** The files, and what the report says about them; nothing is added any more. */
  files(): KeptFile[] {
    return this.#files?.close() ?? [];
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
  occasion: Occasion,
  request: WireRequest,
  { throttled, ...answer }: WireAnswer,
): EvidenceEntry {
  const pairs = (headers: Readonly<Record<string, string | readonly string[]>>): HarPair[] =>
    Object.entries(headers).flatMap(([name, value]) =>
      [value]
        .flat()
        .map((item) => ({ name, value: secretHeaders.has(name) ? '{redacted}' : item })),
    );
  const { body, headers } = request;
  const mimeType = headers['content-type'] ?? '';
  const type = answer.headers['content-type'];
  const location = answer.headers.location;
  const { text } = answer;
  const entry = harEntry({
    startedAt: answer.sentAt,
    durationMs: answer.durationMs,
    method: request.method,
    url: request.url,
    headers: pairs(headers),
    postData: body === undefined ? undefined : { mimeType, text: body },
    status: answer.status,
    statusText: '',
    answerHeaders: pairs(answer.headers),
    content: { size: text.length, mimeType: typeof type === 'string' ? type : '', text },
    redirectUrl: typeof location === 'string' ? location : '',
  });
  return { ...entry, _lockstep: { ...occasion, throttled } };
}
