/** Reads the files of a certificate, without trusting their writer. */

import { hash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Grammar } from '../../spec/base/grammar.ts';
import { isObject, parseJson } from '../../spec/base/json.ts';
import { Redactor } from '../../spec/base/redactor.ts';
import { ifThere, inWordsWithPath, leadsOut, Refused } from '../../spec/base/refused.ts';
import { filesOfRun, type Report } from '../judge/report.ts';
import { effects } from '../language/vocabulary.ts';
import schema from '../report.schema.json' with { type: 'json' };
import type { CustomText } from './custom-files.ts';

export interface CertificateFiles {
  readonly report: Report;
  /** The files by their names in the report. */
  readonly evidence: readonly { readonly file: string; readonly text: string }[];
  /** The custom scenario files of the run. */
  readonly custom: readonly CustomText[];
  /** Reads a file next to the report; undefined if there is none. */
  readonly read: (name: string) => string | undefined;
  /** Everything in the folder, by its path. */
  readonly names: readonly string[];
}

/**
 * Reads the report and the evidence that it names. `path` is the report or its folder. No file outside
 * that folder is ever read, even if the report names it. Throws Refused, with a message that begins with
 * `head`, if a file does not match its digest.
 */
export function readCertificate(path: string, head = ''): CertificateFiles {
  try {
    const file = statSync(path).isDirectory() ? join(path, 'report.json') : path;
    if (basename(file) !== 'report.json') throw new Error(`${file} is not a report.json`);
    const folder = realpathSync(dirname(file));
    const text = readInside(folder, 'report.json');
    const read = (name: string): string | undefined => ifThere(() => readInside(folder, name));
    if (read('certificate.html')?.includes(hash('sha256', text)) === false) {
      throw new Error('certificate.html was not made of this report.json: one of them was changed');
    }
    const report = reportOf(text);
    const digested = (name: string, sha256: string): string => {
      const content = readInside(folder, name);
      if (hash('sha256', content) === sha256) return content;
      throw new Error(`${name} does not have the digest that the report names`);
    };
    const evidence = report.evidence.map(({ file, sha256 }) => {
      if (!/^evidence\/[\w-][\w.-]*\.har$/.test(file)) {
        throw new Error(`the report names a file outside of its folder: ${JSON.stringify(file)}`);
      }
      return { file, text: digested(file, sha256) };
    });
    const { custom: own = [] } = report.suite;
    const custom = own.map((told) => ({ ...told, text: digested(told.copy, told.sha256) }));
    return { report, evidence, custom, read, names: filesIn(folder) };
  } catch (error) {
    throw new Refused(`${head}${inWordsWithPath(error)}`);
  }
}

/** Every file below a folder. Links are files: Node's own search would go through them, and read the whole disk. */
function filesIn(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const name = `${below}${entry.name}`;
    return entry.isDirectory() ? filesIn(folder, `${name}/`) : [name];
  });
}

/** The evidence. It was redacted when it was written, so it has no known secret. */
export function writtenBefore({ evidence }: CertificateFiles) {
  const redactor = new Redactor();
  return evidence.map(({ file, text }) => ({ file, text: redactor.text(text) }));
}

const grammar = new Grammar<Report>(schema);

function reportOf(text: string): Report {
  const read = grammar.readOne(parseJson(text));
  if ('value' in read) return read.value;
  throw new Error(`report.json is not a report: ${read.problem}`);
}

/** Lockstep writes every file in UTF-8, so other bytes are an error. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Throws if a link leads out of the folder. */
function readInside(folder: string, name: string): string {
  const file = join(folder, name);
  if (leadsOut(file, folder)) throw new Error(`${name} is a link that leads out of ${folder}`);
  // A pipe might never end.
  if (statSync(file).isFIFO()) throw new Error(`${name} is not a file`);
  return utf8.decode(readFileSync(file));
}

/** Files of evidence, including what a killed run has left in its folder. */
const evidenceName =
  /^(evidence\/(scenarios\/)?[\w-][\w.-]*\.(har|yaml)|\.lockstep-[0-9a-f]{12}\/.*)$/;

const isOfRun = (name: string): boolean => filesOfRun.includes(name) || evidenceName.test(name);

/**
 * Throws Refused if a folder holds a file that its own report does not digest: a run replaces only the
 * files of a run, and follows no link. `force` also replaces a report whose digests do not match.
 */
export function mustBeOurs(folder: string, force = false): void {
  const about = ifThere(() => lstatSync(folder));
  if (about === undefined) return;
  const choose = 'choose another --out, or remove it';
  if (!about.isDirectory()) throw new Refused(`--out ${folder} is not a folder: ${choose}`);
  const names = filesIn(folder);
  const other = names.find((name) => !isOfRun(name) || !lstatSync(join(folder, name)).isFile());
  if (other !== undefined) {
    throw new Refused(`--out ${folder} holds ${other}, which no run writes: ${choose}`);
  }
  const whole = names.filter((name) => !name.startsWith('.lockstep-'));
  if (force || whole.length === 0) return;
  if (names.includes('report.json')) readCertificate(folder, `--out ${folder}: ${choose}: `);
  else if (!names.includes('gate.json')) {
    throw new Refused(`--out ${folder} holds ${whole[0]}, and no report: ${choose}`);
  }
}

type Covered = Pick<Report, 'options'> & {
  readonly target: Pick<Report['target'], 'baseUrl' | 'kind'>;
};

/**
 * Throws Refused if the report in a folder must not be replaced: it covers more than the next report, or
 * it is about another target. `force` replaces any report.
 */
export function mayReplace(folder: string, next: Covered, force = false): void {
  mustBeOurs(folder, force);
  const earlier = force ? undefined : reportIn(folder);
  const reason = earlier && lost(earlier, next);
  if (reason === undefined) return;
  throw new Refused(
    `${folder} holds a report that ${reason}: choose another --out, or give --force`,
  );
}

/** The parts of the earlier report that would be lost, in words. */
function lost(earlier: Covered, { options, target }: Covered): string | undefined {
  const { baseUrl, kind } = earlier.target;
  // A mock has another port each time, and a new world for each run.
  const alike = kind === 'mock' && target.kind === 'mock';
  if (!alike && baseUrl !== target.baseUrl) return `is of another target, ${baseUrl}`;
  const { only, allow, files } = earlier.options;
  if (files === undefined && options.files !== undefined) return 'covers the whole suite';
  if (earlier.options.leftOut === undefined && options.leftOut !== undefined)
    return 'covers all scenarios';
  const narrowed = options.only.length > 0;
  if (narrowed && (only.length === 0 || only.some((id) => !options.only.includes(id)))) {
    return `covers ${only.length === 0 ? 'all statements' : only.join(', ')}`;
  }
  if (effects.indexOf(allow) > effects.indexOf(options.allow)) {
    return `was allowed more writes (--allow ${allow})`;
  }
  return undefined;
}

/** Whether a folder holds a report of a run that went to its end; an interrupted run covers less. */
export const holdsWholeReport = (folder: string): boolean =>
  reportIn(folder)?.interrupted === false;

/** The report in a folder, if its file is one. */
function reportIn(folder: string): (Covered & Partial<Pick<Report, 'interrupted'>>) | undefined {
  const report = parseJson(ifThere(() => readFileSync(join(folder, 'report.json'), 'utf8')));
  const whole = isObject(report) && isObject(report.options) && isObject(report.target);
  return whole ? (report as unknown as Covered) : undefined;
}
