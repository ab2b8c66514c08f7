/** The control API of a mock in another process, as far as the command line needs it. */
import { readFileSync } from 'node:fs';
import type { RequestOptions } from 'node:http';

/** Where a mock is and how to speak to it. */
export interface ControlOptions {
  /** Origin, without a slash at its end. */
  readonly baseUrl: string;
  /** File of an authority to trust. */
  readonly ca?: string | undefined;
  readonly token?: string | undefined;
}

/** What a client needs to use a world. */
export interface WorldRecord {
  readonly id: string;
  readonly credentials: Readonly<Record<string, string>>;
}

/** Nobody answers there, or somebody who is no mock: it may be too early. */
export class NoMockError extends Error {
  override readonly name = 'NoMockError';
}

/** The mock answers, and refuses: asking again does not help. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
}

/** Silence for this long, in ms, means that nobody is there. */
const PATIENCE_MS = 5000;

/** Makes sure that a Lockstep mock answers. Rejects with a NoMockError or a ControlError. */
export async function checkHealth(options: ControlOptions): Promise<void> {
  const { status, body } = await ask(options, 'GET', '/health');
  if (status === 403) throw refused(options, body);
  if (status !== 200 || body.name !== 'lockstep') {
    throw new NoMockError(`What answers at ${options.baseUrl} is not a Lockstep mock`);
  }
}

/** A world that is there, or a new one. Rejects with a NoMockError or a ControlError. */
export async function openWorld(
  options: ControlOptions,
  world: string | 'new',
): Promise<WorldRecord> {
  const { status, body } =
    world === 'new'
      ? await ask(options, 'POST', '/worlds')
      : await ask(options, 'GET', `/worlds/${encodeURIComponent(world)}`);
  if (status === 404) throw refused(options, body, '; --world new makes one');
  if (status !== 200 && status !== 201) throw refused(options, body);
  const { id, credentials } = body;
  if (typeof id !== 'string' || !isTexts(credentials)) {
    throw new ControlError(`What ${options.baseUrl} says of the world is not what a mock says`);
  }
  return { id, credentials };
}

function refused(
  { token }: ControlOptions,
  { error }: Readonly<Record<string, unknown>>,
  hint?: string,
): ControlError {
  const reason = String(error);
  const advice =
    token === undefined && /token/i.test(reason)
      ? '; --admin-token-env names the variable that holds the token'
      : '';
  return new ControlError(`The mock refuses: ${reason}${hint ?? advice}`);
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((text) => typeof text === 'string')
  );
}

interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function ask(options: ControlOptions, method: string, path: string): Promise<Answered> {
  const { baseUrl, token, ca } = options;
  const secure = baseUrl.startsWith('https:');
  const { request } = secure ? await import('node:https') : await import('node:http');
  const how: RequestOptions & { readonly ca?: Buffer } = {
    method,
    agent: false,
    timeout: PATIENCE_MS,
    headers: token === undefined ? {} : { 'Lockstep-Admin-Token': token },
    ...(secure && ca !== undefined ? { ca: authority(ca) } : {}),
  };
  const { status, text } = await new Promise<{ status: number; text: string }>(
    (resolve, reject) => {
      const call = request(`${baseUrl}/__admin${path}`, how, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        response.on('error', reject);
      });
      call.on('timeout', () => call.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)));
      call.on('error', reject);
      call.end();
    },
  ).catch((error: Error) => {
    throw new NoMockError(`No mock can be reached at ${baseUrl}: ${explain(error)}`);
  });
  return { status, body: readObject(text) };
}

function authority(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    // A mock that was killed may have left its ready file without it.
    throw new NoMockError(`The authority cannot be read: ${(error as Error).message}`);
  }
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function explain(error: NodeJS.ErrnoException): string {
  const { code = '' } = error;
  return /CERT|SELF_SIGNED|SIGNATURE/.test(code)
    ? `${error.message}; name the authority that the mock has written with --ca`
    : error.message || code;
}
