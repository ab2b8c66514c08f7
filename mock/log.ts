/** One line on stderr for each answer. Credentials appear by name. */
import { redact } from './admin/redact.ts';
import type { World } from './world/world.ts';

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
      const { id, at, method, operation, credential, status, basis, refusal } = entry;
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
      };
      write(
        `${JSON.stringify(refusal === null ? line : { ...line, error: redact(world, refusal.message) })}\n`,
      );
      return;
    }
    const why = entry.refusal === null ? '' : `  ${redact(world, entry.refusal.message)}`;
    write(
      `${world.id} ${entry.credential ?? '-'} ${entry.method} ${redact(world, entry.path)}${query} ${entry.status} [${entry.basis ?? 'not graded'}]${why}\n`,
    );
  };
}
