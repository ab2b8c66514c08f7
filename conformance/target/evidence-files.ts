/** The files of the evidence while a run goes on: on disk, as a target decides how long they get. */

import { createHash, type Hash } from 'node:crypto';
import {
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redacted } from '../../spec/base/redactor.ts';
import type { EvidenceFile } from '../judge/report.ts';

const mostBytes = 256 * 2 ** 20;

/** A file that is whole. */
export interface KeptFile {
  readonly about: EvidenceFile;
  /** As in `about`. */
  readonly file: string;
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

export class EvidenceFiles {
  readonly #head: string;
  readonly #tail: string;
  readonly #files = new Map<string, OpenFile>();
  #folder: string | undefined;
  #bytes = 0;

  /** What stands before the entries of a file, and behind them. */
  constructor(head: string, tail: string) {
    this.#head = head;
    this.#tail = tail;
  }

  /** The number of the entry in its file. Throws where the disk takes no more; the file stays whole. */
  append(name: string, entry: Redacted): number {
    if (this.#bytes + entry.length > mostBytes) {
      throw new Error(`it has grown to ${mostBytes} bytes`);
    }
    const file = this.#files.get(name) ?? this.#open(name);
    const pieces = [file.entries === 0 ? this.#head : ',', ...piecesOf(entry)];
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

  /** Nothing can be appended any more. What stands behind the entries takes no room on the disk. */
  close(): KeptFile[] {
    return [...this.#files].map(([name, { path, descriptor, digest, entries, bytes }]) => {
      closeSync(descriptor);
      const tail = this.#tail;
      const about = { file: name, sha256: digest.update(tail).digest('hex'), entries };
      return {
        ...{ about, file: name, bytes },
        // Everything in it was redacted when it was written.
        get text() {
          return (readFileSync(path, 'utf8') + tail) as Redacted;
        },
      };
    });
  }

  #open(name: string): OpenFile {
    if (this.#folder === undefined) {
      this.#folder = mkdtempSync(join(tmpdir(), 'lockstep-evidence-'));
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
