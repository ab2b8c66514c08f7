/** The file of the authority that a mock with --tls is to be trusted by. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Writes the authority to a new file; answers with its path, or undefined where nothing can be
 * written, as in a container with a read-only file system.
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

/** Removes what `writeAuthority` has written. */
export function removeAuthority(file: string): void {
  rmSync(dirname(file), { recursive: true, force: true });
}
