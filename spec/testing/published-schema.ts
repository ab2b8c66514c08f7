/**
 * Schemas that others publish. We do not keep copies, because of their size or licence: `.ci/schemas`
 * downloads them.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The file of a schema; if it is missing, the output says loudly what was not checked. */
export function publishedSchema(name: string, notChecked: string): string | undefined {
  const folder = process.env.LOCKSTEP_SCHEMAS;
  const file = folder === undefined ? undefined : join(folder, name);
  if (file !== undefined && existsSync(file)) return file;
  const message = `${notChecked} WAS NOT CHECKED BY ITS PUBLISHED SCHEMA: ${name} is not at hand, see .ci/schemas`;
  process.stderr.write(`\n${'!'.repeat(20)} ${message}\n\n`);
  return undefined;
}
