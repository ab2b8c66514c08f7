/** Evidence: every exchange of a run, redacted, as HAR 1.2 files next to the report. */

import { createHash, type Hash } from 'node:crypto';
import {
  closeSync,
  ftruncateSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HarEntry, type HarPair, harEntry, harLog } from '../../spec/base/har.ts';
import { isRunning } from '../../spec/base/is-running.ts';
import type { Redacted, Redactor } from '../../spec/base/redactor.ts';
import { version } from '../../spec/base/version.ts';
import { type EvidenceFile, notice } from '../judge/report.ts';
import type { WireAnswer } from '../language/answer.ts';
import type { WireRequest } from './target.ts';

const mostBytes = 256 * 2 ** 20;

/** The step that an exchange belongs to. */
export interface Occasion {
  readonly scenario: string;
  readonly step: string;
  /** `call` is judged; the rest is the engine's own. */
  readonly kind: 'call' | 'probe' | 'protect' | 'restore' | 'preflight' | 'bracket';
  /** The call was sent again: no answer came, or one with a state from before a change of the run. */
  readonly again?: true;
  /** The wait of its step was over, and the call only looked whether the change showed late. */
  readonly late?: true | undefined;
  /** It is not the first call of a `repeat`. */
  readonly further?: true | undefined;
  /** Why no answer came, or none that can be judged. */
  readonly noAnswer?: string;
  /** An answer came, and is too large. */
  readonly tooLarge?: true;
}

/** Whether the engine makes a call for itself: to read an object, or to put it back. */
export const isOfEngine = ({ kind }: Occasion): boolean =>
  kind === 'restore' || kind === 'protect' || kind === 'preflight';

export interface EvidenceEntry extends HarEntry {
  readonly _lockstep: Occasion & { readonly throttled: number };
}

/** The entries of a file of the evidence. */
export function entriesOf(text: string): readonly EvidenceEntry[] {
  return (JSON.parse(text) as { readonly log: { readonly entries: EvidenceEntry[] } }).log.entries;
}

/** Headers of which nothing is kept, because they contain only a secret. */
const secretHeaders = new Set(['cookie', 'set-cookie', 'proxy-authorization', 'x-api-key']);

/** A file that is whole. */
export interface KeptFile extends EvidenceFile {
  readonly bytes: number;
  /** Read from the disk each time. */
  readonly text: Redacted;
}

interface OpenFile {
  readonly path: string;
  readonly descriptor: number;
  readonly digest: Hash;
  entries: number;
  bytes: number;
}

/** Folders to be removed when the process ends: until then a report may be written from them. */
const folders = new Set<string>();
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const folderName = 'lockstep-evidence-';
const folderOf = new RegExp(`^${folderName}(\\d+)-`);

/** Removes the files of killed runs, because answers of a tenant are personal data. */
function sweep(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = folderOf.exec(name)?.[1];
    const path = join(tmpdir(), name);
    try {
      if (pid === undefined || isRunning(Number(pid)) || !isOwn(lstatSync(path))) continue;
      rmSync(path, { recursive: true });
    } catch {
      // Another process removes them too.
    }
  }
}

const isOwn = (about: Stats): boolean =>
  about.isDirectory() && (process.getuid === undefined || about.uid === process.getuid());

/** The text before the entries of a file, and after them. */
const [head = '', tail = ''] = JSON.stringify(harLog([], version, notice)).split(/(?<=\[)(?=\])/);

/**
 * Collects the exchanges of a run by file. They are on disk, because a target decides how long they get,
 * and they hold no secrets.
 */
export class Evidence {
  readonly #redactor: Redactor;
  readonly #files = new Map<string, OpenFile>();
  #folder: string | undefined;
  #bytes = 0;
  #isClosed = false;

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /**
   * Returns the reference by which reports name the entry. Throws if the disk is full; the file stays
   * whole.
   */
  add(file: string, occasion: Occasion, request: WireRequest, answer: WireAnswer): string {
    const name = `evidence/${file}.har`;
    const entry = this.#redactor.json(entryOf(occasion, request, answer));
    return `${name}#${this.#append(name, entry)}`;
  }

  /** The number of the entry in its file. */
  #append(name: string, entry: Redacted): number {
    // The descriptors may belong to other files now.
    if (this.#isClosed) throw new Error('the run is over');
    if (this.#bytes + entry.length > mostBytes) {
      throw new Error(
        `all files together would exceed ${mostBytes / 2 ** 20} MiB; run fewer scenarios (--only)`,
      );
    }
    const file = this.#files.get(name) ?? this.#open(name);
    const pieces = [file.entries === 0 ? head : ',', ...piecesOf(entry)];
    try {
      for (const piece of pieces) writeFileSync(file.descriptor, piece);
    } catch (error) {
      ftruncateSync(file.descriptor, file.bytes);
      throw error;
    }
    for (const piece of pieces) {
      file.digest.update(piece);
      file.bytes += Buffer.byteLength(piece);
    }
    this.#bytes += entry.length;
    return file.entries++;
  }

  /**
   * The files, with their facts for the report; afterwards no exchange can be added. The text after the
   * entries is not on disk, so a full disk does not matter. A file without entries is left out.
   */
  files(): KeptFile[] {
    this.#isClosed = true;
    const written = [...this.#files].filter(([, { entries }]) => entries > 0);
    return written.map(([file, { path, descriptor, digest, entries, bytes }]) => {
      closeSync(descriptor);
      const sha256 = digest.update(tail).digest('hex');
      return {
        ...{ file, sha256, entries, bytes },
        // Everything in it was redacted when it was written.
        get text() {
          return (readFileSync(path, 'utf8') + tail) as Redacted;
        },
      };
    });
  }

  #open(name: string): OpenFile {
    if (this.#folder === undefined) {
      sweep();
      this.#folder = mkdtempSync(join(tmpdir(), `${folderName}${process.pid}-`));
      folders.add(this.#folder);
    }
    const path = join(this.#folder, String(this.#files.size));
    const descriptor = openSync(path, 'ax', 0o600);
    const file = { path, descriptor, digest: createHash('sha256'), entries: 0, bytes: 0 };
    this.#files.set(name, file);
    return file;
  }
}

/** A long text in pieces, so that no copy of the whole is made; no character is cut in two. */
function* piecesOf(text: string): Generator<string> {
  const length = 2 ** 20;
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = Math.min(start + length, text.length);
    const last = text.charCodeAt(end - 1);
    if (last >= 0xd800 && last <= 0xdbff) end++;
    yield text.slice(start, end);
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
  const { text } = answer;
  const only = (header: string | readonly string[] | undefined): string =>
    typeof header === 'string' ? header : '';
  const entry = harEntry({
    startedAt: answer.sentAt,
    durationMs: answer.durationMs,
    method: request.method,
    url: request.url,
    headers: pairs(headers),
    postData:
      body === undefined ? undefined : { mimeType: only(headers['content-type']), text: body },
    status: answer.status,
    statusText: '',
    answerHeaders: pairs(answer.headers),
    content: { size: text.length, mimeType: only(answer.headers['content-type']), text },
    redirectUrl: only(answer.headers.location),
  });
  return { ...entry, _lockstep: { ...occasion, throttled } };
}
