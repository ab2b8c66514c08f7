/** One line on stderr for each answer. Credentials appear by name. */
import { inBatches } from '../../spec/base/turns.ts';
import { visible } from '../../spec/base/visible.ts';
import { redact } from '../control/redact.ts';
import { tellFault } from '../pipeline/explain.ts';
import { type JournalEntry, tellStatus } from '../world/journal.ts';
import type { World } from '../world/world.ts';

export type LogFormat = 'pretty' | 'json' | 'silent';

/** Lines are written in batches, because writing a line costs as much as answering a request. */
const lines = inBatches<string>((all) => process.stderr.write(all.join('')));

/** A listener for `Service.onAnswer`; undefined for silence. */
export function createLog(
  format: LogFormat,
  write: (line: string) => void = lines.add,
): ((world: World) => void) | undefined {
  if (format === 'silent') return undefined;
  process.once('exit', lines.flush);
  return (world) => {
    const entry = world.journal.last();
    if (entry !== undefined) write(`${logLine(world, entry, format)}\n`);
  };
}

function logLine(world: World, entry: JournalEntry, format: 'pretty' | 'json'): string {
  const { id, at, method, operation, credential, status, basis, refusal, fault } = entry;
  const path = redact(world, entry.path);
  const error = refusal === null ? undefined : redact(world, refusal.message);
  const struckBy = fault === null ? undefined : tellFault(fault);
  if (format === 'json') {
    const date = new Date(at).toISOString();
    const request = { id, at: date, world: world.id, method, path, operation, credential };
    return JSON.stringify({ ...request, status, basis, error, fault: struckBy });
  }
  const query = entry.query === '' ? '' : `?${redact(world, entry.query)}`;
  const parts = [
    `${world.id} ${credential ?? '-'} ${method} ${path}${query} ${tellStatus(entry)} [${basis ?? 'not graded'}]`,
    ...(error === undefined || refusal?.statement === 'fault' ? [] : [error]),
    ...(struckBy === undefined ? [] : [`struck by ${struckBy}`]),
    ...entry.passedOver.map((text) => `passed over: ${redact(world, text)}`),
  ];
  // A client chooses path, query and names, so their control characters are made visible.
  return parts.map((part) => visible(part)).join('  ');
}
