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

export async function selfSigned(host: string): Promise<Certificate> {
  const { generate } = await import('selfsigned');
  const names = ['localhost', ...(isIP(host) === 0 ? [host] : [])];
  const made = await generate([{ name: 'commonName', value: 'Lockstep mock' }], {
    algorithm: 'sha256',
    keyType: 'ec',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      {
        name: 'subjectAltName',
        altNames: [
          ...names.map((value) => ({ type: 2 as const, value })),
          ...(isIP(host) === 0 ? [] : [{ type: 7 as const, ip: host }]),
          { type: 7 as const, ip: '127.0.0.1' },
          { type: 7 as const, ip: '::1' },
        ],
      },
    ],
  });
  return { key: made.private, cert: made.cert };
}

/** Writes the certificate, which is its own authority, to a new file; answers with its path. */
export function writeAuthority({ cert }: Certificate): string {
  const file = join(mkdtempSync(join(tmpdir(), 'lockstep-')), 'ca.pem');
  writeFileSync(file, cert);
  return file;
}

/** Removes what `writeAuthority` has written. */
export function removeAuthority(file: string): void {
  rmSync(dirname(file), { recursive: true, force: true });
}
