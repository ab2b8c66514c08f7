/** The service whose traffic is watched: a target, by its tenant file, that nobody calls. */

import { Refused } from '../../spec/base/refused.ts';
import { loadOwnSuite } from '../language/own-suite.ts';
import type { Target } from '../target/target.ts';
import { type TenantFile, tenantTarget } from '../target/tenant.ts';
import type { WatchFacts } from '../watch/facts.ts';
import { Watcher } from '../watch/watcher.ts';
import { newRunId } from './command.ts';
import { isSameHost, mustBeNoWord, ownWords } from './open-target.ts';
import type { CommandIo } from './options.ts';

/** The access of the watching commands to their surroundings. */
export interface WatchIo extends Pick<CommandIo, 'env' | 'cwd' | 'version' | 'onWarning'> {
  readonly redactor: NonNullable<CommandIo['redactor']>;
  readonly facts: WatchFacts;
  readonly onViolation?: ((text: string) => void) | undefined;
}

export interface WatchedOptions {
  readonly tenant?: string | undefined;
  readonly keepBodies?: boolean | undefined;
  readonly out?: string | undefined;
}

/**
 * Watches the traffic to an address. A credential whose variable is not set is known by its name alone,
 * as in our own evidence.
 */
export function watcherOf(
  baseUrl: string,
  file: TenantFile | undefined,
  options: WatchedOptions & { readonly hides?: boolean; readonly evidence?: boolean },
  io: WatchIo,
): Watcher {
  mustBeTheSame(baseUrl, file?.baseUrl);
  const { target, missing } = tenantTarget(
    baseUrl,
    file,
    io.env,
    nothingIsSent,
    async () => undefined,
  );
  const named = missing.map((name) => {
    const { env: _env, ...claims } = file?.credentials?.[name as keyof typeof file.credentials] ?? {
      env: '',
    };
    return [name, { secret: `{${name}}`, claims }] as const;
  });
  for (const [name, { secret }] of target.credentials) io.redactor.add(secret, `{${name}}`);
  mustBeNoWord(io.redactor, ownWords());
  mustBeNoWord(io.redactor, JSON.stringify(loadOwnSuite().scenarios));
  for (const name of missing)
    io.onWarning?.(`${name}: its environment variable is not set, so its requests are not known`);
  const watched: Target = { ...target, credentials: new Map([...target.credentials, ...named]) };
  return new Watcher({
    ...{ target: watched, facts: io.facts, redactor: io.redactor, version: io.version },
    ...{ runId: newRunId(), suiteSha256: loadOwnSuite().sha256, onViolation: io.onViolation },
    ...{ keepBodies: options.keepBodies, hides: options.hides, evidence: options.evidence },
  });
}

function mustBeTheSame(baseUrl: string, filed: string | undefined): void {
  if (filed === undefined || !URL.canParse(filed)) return;
  const [asked, named] = [new URL(baseUrl), new URL(filed)];
  if (!isSameHost(asked, named))
    throw new Refused(
      `the traffic is that of ${asked.host}, and the tenant file is for ${named.host}`,
    );
}

const nothingIsSent = (): never => {
  throw new Error('a watcher sends no request');
};
