/** From options, a tenant file and the environment to the target that they mean. */

import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Unsafe } from '../target/guard.ts';
import { findMock, mockTarget } from '../target/mock-target.ts';
import { isLoopback, type Target } from '../target/target.ts';
import { readTenantFile, type TenantFile } from '../target/tenant-file.ts';
import { tenantTarget } from '../target/tenant-target.ts';
import { httpTransport } from '../target/transport.ts';
import type { CertifyOptions, CommandIo } from './options.ts';

/** A mistake in how the command was called. */
export class UsageError extends Error {}

export interface Opened {
  readonly target: Target;
  readonly warnings: readonly string[];
}

/** The target of a command; on a mock, a world that is made for it. Throws UsageError and Unsafe. */
export async function openTarget(options: CertifyOptions, io: CommandIo): Promise<Opened> {
  const file =
    options.tenant === undefined ? undefined : readTenant(resolve(io.cwd, options.tenant));
  const baseUrl = chooseBaseUrl(options.baseUrl, file?.baseUrl);
  const caFile =
    file?.ca === undefined
      ? undefined
      : join(dirname(resolve(io.cwd, options.tenant ?? '')), file.ca);
  const ca = options.ca ?? (caFile === undefined ? undefined : readText(caFile));
  const jobs = options.jobs ?? 8;
  const { send, close } = httpTransport({ ca, connections: jobs + 2, env: io.env });
  if (file === undefined) {
    const { origin } = new URL(baseUrl);
    const health = await findMock(origin, send);
    if (health !== undefined) {
      const adminToken = io.env.LOCKSTEP_ADMIN_TOKEN;
      return {
        target: await mockTarget(origin, health, send, { adminToken, close }),
        warnings: [],
      };
    }
  }
  const { target, missing } = tenantTarget(baseUrl, file, io.env, send, close);
  const warnings = missing.map(
    (item) => `${item.name}: the environment variable ${item.env} is not set`,
  );
  if (file === undefined) warnings.push('no tenant file: only what needs no credential was tried');
  return { target, warnings };
}

function chooseBaseUrl(given: string | undefined, filed: string | undefined): string {
  const baseUrl = given ?? filed;
  if (baseUrl === undefined)
    throw new UsageError('--base-url, or baseUrl in the tenant file, is needed');
  if (!URL.canParse(baseUrl)) throw new UsageError(`${baseUrl} is no URL`);
  for (const url of [given, filed]) refuseExtras(url);
  const { protocol, host } = new URL(baseUrl);
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new UsageError(`${baseUrl}: only https is accepted`);
  if (protocol === 'http:' && !isLoopback(baseUrl)) {
    throw new Unsafe(
      `${baseUrl}: credentials are never sent over plain HTTP to anything but loopback`,
    );
  }
  if (given !== undefined && filed !== undefined && URL.canParse(filed)) {
    const local = isLoopback(given) && isLoopback(filed);
    if (host !== new URL(filed).host && !local) {
      throw new Unsafe(`--base-url names ${host} and the tenant file ${new URL(filed).host}`);
    }
  }
  return baseUrl;
}

/** A secret in an address would stand in every artefact, and a query on every call. */
function refuseExtras(url: string | undefined): void {
  if (url === undefined || !URL.canParse(url)) return;
  const { username, password, search, hash, origin } = new URL(url);
  if (username !== '' || password !== '' || search !== '' || hash !== '') {
    throw new UsageError(`a base URL has no user, query or fragment: ${origin}/... is expected`);
  }
}

/** Throws LoadError or UsageError. */
export function readTenant(path: string): TenantFile {
  return readTenantFile(path, readText(path));
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
