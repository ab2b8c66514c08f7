/**
 * Secrets from a file or a command. The source is read again when the tenant no longer accepts the secret,
 * so that a run may last longer than a token.
 */

import { execFile } from 'node:child_process';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { Refused } from '../../spec/base/refused.ts';
import type { TenantText } from '../language/tenant.generated.ts';
import type { Transport, WireRequest } from './target.ts';

export type CredentialText = NonNullable<NonNullable<TenantText['credentials']>['admin']>;

const run = promisify(execFile);

/** The longest that a command may take. */
const commandMs = 60_000;
/** The least time between two runs of a command: an operation may always answer 401. */
const commandRestMs = 30_000;
const largestFile = 2 ** 20;

const trustIt = 'give --allow-command if nobody can change the tenant file but you';

export interface SecretSources {
  /** The folder of the tenant file. Paths of files begin there, and commands run there. */
  readonly folder: string;
  /** Nobody but the user can change the tenant file. So it may run commands and name any file. */
  readonly isTrusted: boolean;
  /** The advice if the file names a file that it may not name; by default, how to trust it. */
  readonly otherwise?: string;
}

/** The secret of a credential that names a file or a command. Rejects with Refused. */
export async function askFor(
  name: string,
  { file = '', command }: CredentialText,
  sources: SecretSources,
): Promise<string> {
  const { folder, isTrusted } = sources;
  const place = `credentials.${name}`;
  if (command !== undefined) {
    if (!isTrusted) {
      throw new Refused(`${place}.command runs a program: ${trustIt}`);
    }
    return inHeader(await outputOf(command, folder, `${place}.command`), `${place}: its command`);
  }
  return inHeader(textOf(file, sources, `${place}.file`), `${place}: its file`);
}

/** The standard output of a command. Its other output is not shown: it may be a secret. */
async function outputOf(command: readonly string[], cwd: string, place: string): Promise<string> {
  const [program = '', ...args] = command;
  try {
    return (await run(program, args, { cwd, timeout: commandMs, maxBuffer: largestFile })).stdout;
  } catch (error) {
    const { code = 'a signal' } = error as { readonly code?: string | number };
    throw new Refused(`${place}: it did not end well (${code}); run it by hand in ${cwd}`);
  }
}

/**
 * A file in the folder of the tenant file that no tool, such as git, hides there. Throws Refused if it is
 * not a regular file: a pipe might never end.
 */
export function textOf(
  name: string,
  { folder, isTrusted, otherwise = trustIt }: SecretSources,
  place: string,
  what = 'a token',
): string {
  const file = join(folder, name);
  const about = name.includes('\0') ? undefined : statSync(file, { throwIfNoEntry: false });
  if (about?.isFile() !== true || about.size > largestFile)
    throw new Refused(`${place}: ${JSON.stringify(file)} is not a file that holds ${what}`);
  const parts = relative(realpathSync(folder), realpathSync(file)).split(sep);
  // Kubernetes mounts files below names such as `..data`.
  if (!isTrusted && parts.some((part) => /^(\.\.|\.[^.].*|)$/.test(part))) {
    throw new Refused(
      `${place}: the file must lie in the folder of the tenant file, and not below a name that begins with a dot; ${otherwise}`,
    );
  }
  return readFileSync(file, 'utf8');
}

/** The text without the space around it. Throws Refused if it has characters that no header can carry. */
export function inHeader(text: string, source: string): string {
  const secret = text.trim();
  const odd = /[^\t\x20-\x7e\x80-\xff]/.exec(secret)?.[0];
  if (odd !== undefined) {
    throw new Refused(`${source} holds ${JSON.stringify(odd)}, which no header can carry`);
  }
  if (secret === '') throw new Refused(`${source} is empty`);
  return secret;
}

/**
 * Secrets of files and commands, by the name of their credential. Expired credentials are not renewed.
 * `lacks` is called for a secret that cannot be read; without `lacks`, the function rejects.
 */
export async function readSecrets(
  credentials: Readonly<Record<string, CredentialText>>,
  sources: SecretSources,
  learn: (name: string, secret: string) => void,
  lacks?: (reason: string) => void,
) {
  const given = new Map<string, string>();
  const renewable: Renewable[] = [];
  for (const [name, credential] of Object.entries(credentials)) {
    const { env, file, command } = credential;
    const written = [env, file, command].filter((source) => source !== undefined);
    if (written.length > 1)
      throw new Refused(`credentials.${name}: one of env, file and command is expected`);
    if (env !== undefined) continue;
    const ask = async (): Promise<string> => {
      const secret = await askFor(name, credential, sources);
      // This comes before the secret is sent, so that it is removed from all output.
      learn(name, secret);
      return secret;
    };
    const first = await ask().catch((error: Error) => {
      if (lacks === undefined || !(error instanceof Refused)) throw error;
      lacks(error.message);
    });
    if (first === undefined) continue;
    given.set(name, first);
    const isCommand = command !== undefined;
    if (!name.startsWith('expired')) renewable.push({ name, first, ask, isCommand });
  }
  return { given, renewable };
}

/** A credential whose secret can be read again. */
export interface Renewable {
  readonly name: string;
  /** The runner knows the credential by this secret for the whole run, and sends the newest one. */
  readonly first: string;
  /** Reads the secret again. Rejects if there is none. */
  readonly ask: () => Promise<string>;
  readonly isCommand: boolean;
}

/**
 * Sends with the newest secret, and reads it again after a 401, because the service has not carried out
 * that call.
 */
export function renewing(
  send: Transport,
  credentials: readonly Renewable[],
  tell: (message: string) => void,
  now = () => performance.now(),
): Transport {
  // One secret may begin with another. So the longest one in the text is the right one.
  const known = credentials
    .toSorted((one, other) => other.first.length - one.first.length)
    .map((source) => new Renewed(source, tell, now));
  return async (request, signal) => {
    const { authorization = '' } = request.headers;
    const one = known.find(({ source }) => authorization.includes(source.first));
    if (one === undefined) return send(request, signal);
    const { secret } = one;
    const answer = await send(one.inPlaceOfFirst(request), signal);
    const isPlain = authorization === `Bearer ${one.source.first}`;
    if (answer.status !== 401 || !isPlain || !(await one.renew(secret))) return answer;
    return send(one.inPlaceOfFirst(request), signal);
  };
}

/** Asks each source for its newest secret. The answer has the secrets by the names of their credentials. */
export function newestOf(
  credentials: readonly Renewable[],
  tell: (message: string) => void,
): () => Promise<ReadonlyMap<string, string>> {
  const known = credentials.map((source) => new Renewed(source, tell, () => performance.now()));
  return async () => {
    await Promise.all(known.map((one) => one.renew(one.secret)));
    return new Map(known.map(({ source, secret }) => [source.name, secret]));
  };
}

class Renewed {
  readonly source: Renewable;
  secret: string;
  readonly #tell: (message: string) => void;
  readonly #now: () => number;
  #askedAt: number;
  #asking: Promise<void> | undefined;

  constructor(source: Renewable, tell: (message: string) => void, now: () => number) {
    this.source = source;
    this.secret = source.first;
    this.#tell = tell;
    this.#now = now;
    this.#askedAt = now();
  }

  inPlaceOfFirst(request: WireRequest): WireRequest {
    const { authorization = '', ...headers } = request.headers;
    const current = authorization.replaceAll(this.source.first, () => this.secret);
    return { ...request, headers: { ...headers, authorization: current } };
  }

  /** Whether the newest secret differs from the one that was sent. Calls in parallel read it once. */
  async renew(sent: string): Promise<boolean> {
    const rests = this.source.isCommand && this.#now() - this.#askedAt < commandRestMs;
    if (this.secret === sent && (this.#asking !== undefined || !rests)) {
      this.#asking ??= this.#ask().finally(() => {
        this.#asking = undefined;
      });
      await this.#asking;
    }
    return this.secret !== sent;
  }

  async #ask(): Promise<void> {
    try {
      const secret = await this.source.ask();
      if (secret !== this.secret) {
        this.#tell(
          `credentials.${this.source.name} was answered 401, so its secret was read again`,
        );
      }
      this.secret = secret;
    } catch (error) {
      // The last secret is still sent, and its refusals are reported like those of any credential.
      this.#tell((error as Error).message);
    }
    this.#askedAt = this.#now();
  }
}
