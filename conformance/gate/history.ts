/** The nights before: one small file of JSON lines per run, written whole or not at all. */

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Grammar } from '../../spec/base/grammar.ts';
import { parseJson } from '../../spec/base/json.ts';
import { inWords } from '../../spec/base/refused.ts';
import schema from '../gate.schema.json' with { type: 'json' };
import type { Night } from '../judge/gate.generated.ts';

const grammar = new Grammar<Night>(schema, 'Night');

/**
 * All nights in a folder, in the order of time. A file that is broken or is not a night is skipped
 * with a warning.
 */
export function readHistory(folder: string | undefined) {
  const nights: Night[] = [];
  const warnings: string[] = [];
  if (folder === undefined || !existsSync(folder)) return { nights, warnings };
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.jsonl'))) {
    const file = join(folder, name);
    const night = nightIn(file);
    if (typeof night === 'string') warnings.push(`${file} was skipped: ${night}`);
    else nights.push(night);
  }
  const startOf = ({ night }: Night): string => night.startedAt;
  return { nights: nights.sort((a, b) => (startOf(a) < startOf(b) ? -1 : 1)), warnings };
}

const mostBytes = 16 * 2 ** 20;

/** The night in a file, or why there is none. */
function nightIn(file: string): Night | string {
  try {
    const about = statSync(file);
    // A link may lead to a device that never ends.
    if (!about.isFile() || about.size > mostBytes)
      return `expected a file of ${mostBytes} bytes at most`;
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '');
    const parts = lines.map(parseJson);
    if (parts.length === 0 || parts.includes(undefined)) return 'it is cut off, or no JSON lines';
    const read = grammar.readOne(Object.assign({}, ...parts));
    return 'value' in read ? read.value : read.problem;
  } catch (error) {
    return inWords(error);
  }
}

/** Writes a night as a file, with a line for each part. Returns the file. */
export function writeNight(folder: string, night: Night): string {
  const { startedAt, runId = '' } = night.night;
  const file = join(folder, `${startedAt.replaceAll(/[:.]/g, '-')}${runId && `-${runId}`}.jsonl`);
  const lines = Object.entries(night).map(([name, part]) => JSON.stringify({ [name]: part }));
  writeWhole(file, `${lines.join('\n')}\n`);
  return file;
}

/** Writes to another name and renames, because the process may be killed here. */
export function writeWhole(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  // Removes a link that may be there.
  rmSync(`${file}.tmp`, { force: true });
  writeFileSync(`${file}.tmp`, text, { flag: 'wx' });
  renameSync(`${file}.tmp`, file);
}
