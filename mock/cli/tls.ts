/** A self-signed certificate for this machine, made anew at each start. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Certificate {
  /** PEM texts. */
  readonly key: string;
  readonly cert: string;
}

/** A certificate for this machine and for further host names and addresses. */
export async function selfSigned(...hosts: readonly string[]): Promise<Certificate> {
  const { generate } = await import('selfsigned');
  const names = new Set(['localhost', '127.0.0.1', '::1', ...hosts]);
  const made = await generate([{ name: 'commonName', value: 'Lockstep mock' }], {
    algorithm: 'sha256',
    keyType: 'ec',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      {
        name: 'subjectAltName',
        altNames: [...names].map((name) =>
          isIP(name) === 0 ? { type: 2 as const, value: name } : { type: 7 as const, ip: name },
        ),
      },
    ],
  });
  return { key: made.private, cert: made.cert };
}

/**
 * Writes the certificate, which is its own authority, to a new file; answers with its path, or
 * undefined where nothing can be written, as in a container with a read-only file system.
 */
export function writeAuthority({ cert }: Certificate): string | undefined {
  try {
    const file = join(mkdtempSync(join(tmpdir(), 'lockstep-')), 'ca.pem');
    writeFileSync(file, cert);
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
