/** One line on stderr for each answer. Credentials appear by name. */
import { redact } from '../control/redact.ts';
import { tellFault } from '../pipeline/explain.ts';
import { tellStatus } from '../world/journal.ts';
import type { World } from '../world/world.ts';

export type LogFormat = 'pretty' | 'json' | 'silent';

/** A listener for `Service.onAnswer`; undefined for silence. */
export function createLog(
  format: LogFormat,
  write: (line: string) => void = (line) => process.stderr.write(line),
): ((world: World) => void) | undefined {
  if (format === 'silent') return undefined;
  return (world) => {
    const entry = world.journal.last();
    if (entry === undefined) return;
    const query = entry.query === '' ? '' : `?${redact(world, entry.query)}`;
    if (format === 'json') {
      const { id, at, method, operation, credential, status, basis, refusal, fault } = entry;
      const line = {
        id,
        at: new Date(at).toISOString(),
        world: world.id,
        method,
        path: redact(world, entry.path),
        operation,
        credential,
        status,
        basis,
        ...(refusal === null ? {} : { error: redact(world, refusal.message) }),
        ...(fault === null ? {} : { fault: tellFault(fault) }),
      };
      write(`${JSON.stringify(line)}\n`);
      return;
    }
    const { refusal, fault } = entry;
    const why = [
      ...(refusal === null || refusal.statement === 'fault'
        ? []
        : [redact(world, refusal.message)]),
      ...(fault === null ? [] : [`struck by ${tellFault(fault)}`]),
    ];
    const head = `${world.id} ${entry.credential ?? '-'} ${entry.method} ${redact(world, entry.path)}${query}`;
    const grade = `[${entry.basis ?? 'not graded'}]`;
    write(`${[`${head} ${tellStatus(entry)} ${grade}`, ...why].join('  ')}\n`);
  };
}
