/** Makes a target from options, a tenant file and the environment. */

import { dirname, join, relative } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Redactor } from '../../spec/base/redactor.ts';
import { Refused, readText } from '../../spec/base/refused.ts';
import { contract } from '../../spec/contract.ts';
import schema from '../report.schema.json' with { type: 'json' };
import { Unsafe } from '../target/guard.ts';
import { findMock, mockTarget } from '../target/mock-target.ts';
import { readSecrets, renewing, type SecretSources, textOf } from '../target/secrets.ts';
import { isLoopback, type Target } from '../target/target.ts';
import { readTenantFile, type TenantFile, tenantTarget } from '../target/tenant.ts';
import { httpTransport } from '../target/transport.ts';
import { mustBeMeant } from './consent.ts';
import { type CertifyOptions, type CommandIo, pathIn } from './options.ts';

/**
 * A name of a variable that may be shown. Any other text may be a secret that was pasted there: a secret
 * has other characters, or is longer than words are.
 */
const plainName = /^LOCKSTEP(?:_[A-Z]{1,12}\d{0,2}){1,6}$/;

/** The target of a command; on a mock, a world that is made for it. Throws Refused and Unsafe. */
export async function openTarget(options: CertifyOptions, io: CommandIo) {
  const { env, cwd, redactor } = io;
  const { jobs = 8, callMs: timeoutMs } = options;
  const { tenant, path = '', baseUrl } = readAddress(options, cwd);
  mustBeMeant(options, tenant);
  if (tenant !== undefined) mustBeOurs(tenant, path, baseUrl, options.allowEnv);
  mustLookAtCertificates(env, baseUrl);
  const folder = dirname(path);
  const { tls } = tenant ?? {};
  const sources = { folder, isTrusted: options.allowCommand === true };
  const ca = options.ca ?? authorityOf(tls ?? {}, sources);
  const client = clientOf(tls ?? {}, sources);
  const { send, close } = httpTransport({ ca, client, connections: jobs + 2, timeoutMs, env });
  if (tenant === undefined) {
    const { origin } = new URL(baseUrl);
    const version = await findMock(origin, send);
    if (version !== undefined) {
      const adminToken = adminTokenFor(origin, io);
      const target = await mockTarget(origin, version, send, { adminToken, close });
      return opened(target, []);
    }
  }
  const warnings: string[] = [];
  const tell = (text: string): void => void (warnings.includes(text) || warnings.push(text));
  const { given, renewable } = await readSecrets(
    tenant?.credentials ?? {},
    sources,
    (name, secret) => {
      redactor?.add(secret, `{${name}}`);
      if (redactor !== undefined) mustBeNoWord(redactor, ownWords());
    },
  );
  const lasting = renewable.length === 0 ? send : renewing(send, renewable, tell);
  const made = tenantTarget(baseUrl, tenant, env, lasting, close, given);
  const { missing } = made;
  const file = tls?.ca === undefined ? undefined : relative(cwd, join(folder, tls.ca));
  const target: Target = { ...made.target, ca: file };
  const written = new Map(Object.entries(tenant?.credentials ?? {}));
  const nameOf = (name: string, before: string, after: string): string => {
    const { env: variable = '' } = written.get(name) ?? {};
    return plainName.test(variable) ? `${before}${variable}${after}` : '';
  };
  if (missing.length > 0 && options.skipMissing !== true) {
    const named = missing.map((name) => `credentials.${name}.env${nameOf(name, ' (', ')')}`);
    throw new Refused(
      `${path}: the environment lacks the variables of ${named.join(', ')}; set them, or leave out the scenarios that need them with --skip-missing`,
    );
  }
  // From now on its credentials are removed from all output.
  for (const [name, { secret }] of target.credentials) redactor?.add(secret, `{${name}}`);
  if (redactor !== undefined) mustBeNoWord(redactor, ownWords());
  warnings.push(
    ...missing.map(
      (name) => `${name}: its environment variable${nameOf(name, ' ', '')} is not set`,
    ),
  );
  if (tenant === undefined)
    warnings.push('no tenant file: only what needs no credential was tried');
  return opened(target, warnings);
}

/** A target that is closed at the end of the block that opened it with `await using`. */
function opened(target: Target, warnings: readonly string[]) {
  const close = () => target.close().catch(() => undefined);
  return { target, warnings, [Symbol.asyncDispose]: close };
}

/** Throws Unsafe if Node was told to accept any certificate. */
export function mustLookAtCertificates(env: CommandIo['env'], baseUrl: string): void {
  if (env.NODE_TLS_REJECT_UNAUTHORIZED !== '0' || isLoopback(baseUrl)) return;
  throw new Unsafe(
    'NODE_TLS_REJECT_UNAUTHORIZED=0 would send credentials to anybody: unset it, and name the authority in tls.ca',
  );
}

/**
 * Throws Refused if a tenant file would send an arbitrary environment variable to a host of its choice.
 * The message does not show the name: it may be a secret that was pasted there.
 */
function mustBeOurs(
  { credentials }: TenantFile,
  path: string,
  baseUrl: string,
  allowed: readonly string[] = [],
): void {
  if (isLoopback(baseUrl)) return;
  const others = Object.entries(credentials ?? {}).filter(
    ([, { env }]) => env?.startsWith('LOCKSTEP_') === false && !allowed.includes(env),
  );
  if (others.length === 0) return;
  const names = others.map(([name]) => `credentials.${name}.env`).join(', ');
  throw new Refused(
    `${path}: the name of a variable begins with LOCKSTEP_, or is given with --allow-env NAME: ${names}`,
  );
}

type Tls = NonNullable<TenantFile['tls']>;

/** PEM of an authority to trust. */
export function authorityOf({ ca }: Tls, sources: SecretSources): string | undefined {
  return ca === undefined ? undefined : textOf(ca, sources, 'tls.ca', 'a certificate');
}

/** The certificate of the client. Throws Refused if the key does not match the certificate. */
export function clientOf({ cert, key }: Tls, sources: SecretSources) {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new Refused('tls: cert and key belong together: one of them is missing');
  const client = {
    cert: textOf(cert, sources, 'tls.cert', 'a certificate'),
    key: textOf(key, sources, 'tls.key', 'a key'),
  };
  try {
    createSecureContext(client);
  } catch (error) {
    throw new Refused(
      `tls: cert and key are not a pair that can be used: ${(error as Error).message}`,
    );
  }
  return client;
}

/** The words that every report contains, independent of the target's answers. */
export const ownWords = (): string =>
  JSON.stringify([schema, [...contract.operations.values()], [...contract.statements.values()]]);

/** Throws Refused if a secret is a word of this text: every report would need that word. */
export function mustBeNoWord(redactor: Redactor, text: string): void {
  const label = redactor.addWords(text);
  if (label === undefined) return;
  throw new Refused(
    `the secret of ${label} is a word of the contract or the suite, so it is hardly a key, and no report could hide it`,
  );
}

/** The tenant file and the address that options mean. Throws LoadError, Refused and Unsafe. */
export function readAddress(options: CertifyOptions, cwd: string) {
  const { path, tenant } = readTenant(options, cwd);
  return { path, tenant, baseUrl: chooseBaseUrl(options.baseUrl, tenant?.baseUrl) };
}

/** The tenant file, if there is one. Throws LoadError and Refused. */
export function readTenant(options: Pick<CertifyOptions, 'tenant'>, cwd: string) {
  const path = pathIn(cwd, options.tenant);
  const tenant = path === undefined ? undefined : readTenantFile(path, readText(path));
  return { path, tenant };
}

/** Whether two addresses have one host; addresses of this machine count as one. */
export function isSameHost(one: URL, other: URL): boolean {
  return one.host === other.host || (isLoopback(one.href) && isLoopback(other.href));
}

/** It stays on this machine: elsewhere, anything can claim to be a mock. */
function adminTokenFor(origin: string, { env, redactor }: CommandIo): string | undefined {
  const token = env.LOCKSTEP_ADMIN_TOKEN;
  if (token === undefined) return undefined;
  redactor?.add(token, '{adminToken}');
  return isLoopback(origin) ? token : undefined;
}

/** An option comes before the tenant file. */
function chooseBaseUrl(given: string | undefined, filed: string | undefined): string {
  const [baseUrl, other] = [given, filed].filter((url) => url !== undefined);
  if (baseUrl === undefined)
    throw new Refused('--base-url, or baseUrl in the tenant file, is needed');
  const url = plainUrl(baseUrl);
  const { protocol, host } = url;
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new Refused('only https is accepted: a base URL begins with https://');
  if (protocol === 'http:' && !isLoopback(baseUrl)) {
    throw new Unsafe(
      `${baseUrl}: credentials are never sent over plain HTTP to anything but loopback`,
    );
  }
  const named = plainUrl(other ?? baseUrl);
  if (!isSameHost(url, named))
    throw new Unsafe(`--base-url names ${host} and the tenant file ${named.host}`);
  return baseUrl;
}

/**
 * A secret in an address would be in every file of the report, and a query would be in every call.
 * `option`: the name of the option.
 */
export function plainUrl(text: string, option = 'the base URL'): URL {
  // The text there may be a secret, pasted in the wrong line.
  if (!URL.canParse(text)) throw new Refused(`${option} is not a URL: https://... is expected`);
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new Refused(`${option} has no user, query or fragment: ${url.origin}/... is expected`);
  }
  return url;
}
