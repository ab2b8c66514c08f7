/** Makes the target whose traffic is watched, from its tenant file. It is never called. */

import { dirname } from 'node:path';
import { Refused } from '../../spec/base/refused.ts';
import { loadOwnSuite } from '../language/own-suite.ts';
import { type CredentialText, newestOf, readSecrets } from '../target/secrets.ts';
import type { Target } from '../target/target.ts';
import { tenantTarget } from '../target/tenant.ts';
import type { WatchFacts } from '../watch/facts.ts';
import { Watcher, type WatchOptions } from '../watch/watcher.ts';
import { newRunId } from './command.ts';
import { isSameHost, mustBeNoWord, ownWords, type readTenant } from './open-target.ts';
import type { CommandIo } from './options.ts';

/** The access of the watching commands to their surroundings. */
export interface WatchIo extends Pick<CommandIo, 'env' | 'cwd' | 'version' | 'onWarning'> {
  readonly redactor: NonNullable<CommandIo['redactor']>;
  readonly facts: WatchFacts;
  readonly onViolation?: ((text: string) => void) | undefined;
}

export interface WatchedOptions {
  readonly tenant?: string | undefined;
  /** Whether the tenant file may run programs and name any file. */
  readonly allowCommand?: boolean | undefined;
  readonly keepBodies?: boolean | undefined;
  readonly out?: string | undefined;
}

/**
 * Watches the traffic to an address. If the secret of a credential cannot be read, the credential is
 * known by its name alone, as in our own evidence.
 */
export async function watcherOf(
  baseUrl: string,
  { path = '', tenant: file }: ReturnType<typeof readTenant>,
  options: WatchedOptions & Pick<WatchOptions, 'hides' | 'evidence' | 'onEntry'>,
  io: WatchIo,
): Promise<Watcher> {
  mustBeTheSame(baseUrl, file?.baseUrl);
  const written: Readonly<Record<string, CredentialText>> = file?.credentials ?? {};
  const learn = (name: string, secret: string): void => io.redactor.add(secret, `{${name}}`);
  const tell = (reason: string): void => io.onWarning?.(`${reason}; its requests are not known`);
  const sources = { folder: dirname(path), isTrusted: options.allowCommand === true };
  const { given, renewable } = await readSecrets(written, sources, learn, tell);
  const nothing = async () => undefined;
  const { target, missing } = tenantTarget(baseUrl, file, io.env, nothingIsSent, nothing, given);
  const named = missing.map((name) => {
    const { env, file: _file, command: _command, ...claims } = written[name] ?? {};
    if (env !== undefined) tell(`${name}: its environment variable is not set`);
    return [name, { secret: `{${name}}`, claims }] as const;
  });
  for (const [name, { secret }] of target.credentials) learn(name, secret);
  mustBeNoWord(io.redactor, ownWords());
  const suite = loadOwnSuite();
  mustBeNoWord(io.redactor, JSON.stringify(suite.scenarios));
  const watched: Target = { ...target, credentials: new Map([...target.credentials, ...named]) };
  const newest = newestOf(renewable, (text) => io.onWarning?.(text));
  return new Watcher({
    ...{ target: watched, facts: io.facts, redactor: io.redactor, version: io.version },
    ...{ runId: newRunId(), suiteSha256: suite.sha256, onViolation: io.onViolation },
    ...{ keepBodies: options.keepBodies, hides: options.hides, evidence: options.evidence },
    onEntry: options.onEntry,
    newest: renewable.length === 0 ? undefined : newest,
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
