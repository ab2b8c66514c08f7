/** Asks for consent before anything is written to a tenant. */

import { Refused } from '../../spec/base/refused.ts';
import { isLoopback } from '../target/target.ts';
import type { TenantFile } from '../target/tenant.ts';
import type { CertifyOptions, CommandIo } from './options.ts';

type Consent = Pick<CertifyOptions, 'allow' | 'yes' | 'allowProduction'>;

/**
 * Throws Refused if the tenant file says `production: true`, and `--allow-production` is missing.
 */
export function mustBeMeant(
  { allow = 'none', allowProduction = false }: Consent,
  tenant: TenantFile | undefined,
): void {
  if (tenant?.production !== true || allow === 'none' || allowProduction) return;
  throw new Refused(
    `the tenant file says production: true, so --allow ${allow} needs --allow-production as well`,
  );
}

/**
 * Throws Refused unless somebody agrees, by an option or in a terminal, to the writes to a host that is
 * not this machine. `what` describes them, such as `12 writes`.
 */
export async function mustAgree(
  { allow = 'none', yes = false }: Consent,
  baseUrl: string,
  what: string,
  { ask }: Pick<CommandIo, 'ask'>,
): Promise<void> {
  if (yes || allow === 'none' || isLoopback(baseUrl)) return;
  const asked = `${what} to ${baseUrl} (--allow ${allow})`;
  if (ask === undefined)
    throw new Refused(
      `${asked}: add --yes if that is meant, as there is no terminal to ask; --dry-run prints each of them`,
    );
  if (!(await ask(asked))) throw new Refused('nothing was written, as the answer was not yes');
}
