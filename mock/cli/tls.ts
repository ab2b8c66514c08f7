/** The file of the authority that makes clients trust a mock with --tls. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Writes the authority to a new file. Returns its path, or undefined if nothing can be written, as in a
 * container with a read-only file system.
 */
export function writeAuthority(ca: string): string | undefined {
  try {
    const file = join(mkdtempSync(join(tmpdir(), 'lockstep-')), 'ca.pem');
    writeFileSync(file, ca);
    return file;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['EROFS', 'EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'ENOSPC'].includes(code))
      return undefined;
    throw error;
  }
}

export function removeAuthority(file: string): void {
  rmSync(dirname(file), { recursive: true, force: true });
}
