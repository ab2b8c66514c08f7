/** `lockstep env`: prints the variables that a shell script needs to use a mock, as assignments for its shell. */
import { setTimeout as pause } from 'node:timers/promises';
import { isRunning } from '../../spec/base/is-running.ts';
import { NotThere, Refused } from '../../spec/base/refused.ts';
import { variablesOf } from '../client/variables.ts';
import { checkHealth, type MockAddress, openWorld } from './mock-client.ts';
import { readReadyFile } from './ready-file.ts';
import { assignment, type Shell } from './shell-dialects.ts';

export interface EnvCommand {
  /** The file that `lockstep mock --ready-file` writes. */
  readonly readyFile?: string | undefined;
  /** Origin of the mock, if there is no ready file. */
  readonly baseUrl?: string | undefined;
  readonly ca?: string | undefined;
  readonly adminToken?: string | undefined;
  /** Id of a world, or `new`; the default world if it is left out. */
  readonly world?: string | undefined;
  /** How long to wait for a mock that is still starting. */
  readonly waitMs?: number | undefined;
  readonly shell: Shell;
}

const DEFAULT_BASE_URL = 'http://127.0.0.1:4010';
const POLL_MS = 25;

/**
 * Asks the mock for a world and returns the variables for using it. `text` holds the assignments, a
 * line each. `warning` is for a person. `surroundings` are the variables that are already set.
 * Rejects with Refused or NotThere.
 */
export async function runEnv(command: EnvCommand, surroundings: NodeJS.ProcessEnv = {}) {
  const mock = await reach(command);
  const world = await openWorld(mock, command.world);
  const { variables, warning } = trust(mock.ca, surroundings);
  const own = variablesOf({
    ...{ id: world.id, baseUrl: mock.baseUrl, credentials: world.credentials },
    prefixedBaseUrl: `${mock.baseUrl}/w/${world.id}`,
  });
  // npx and npm run start a shell in between, so a signal to $! would end the shell and not the
  // mock.
  const pid = mock.pid === undefined ? {} : { LOCKSTEP_PID: String(mock.pid) };
  const lines = Object.entries({ ...own, ...pid, ...variables }).map(
    ([name, value]) => `${assignment(command.shell, name, value)}\n`,
  );
  return { text: lines.join(''), warning };
}

/**
 * SSL_CERT_FILE and CURL_CA_BUNDLE would replace all other authorities, so the script has to set
 * them if it needs them (`curl --cacert "$LOCKSTEP_CA"`). Node adds the file of its variable to its
 * other authorities. The variable holds one file only, so a value that is set already stays.
 */
function trust(ca: string | undefined, surroundings: NodeJS.ProcessEnv) {
  if (ca === undefined) return { variables: {}, warning: undefined };
  const { NODE_EXTRA_CA_CERTS: extra = '', LOCKSTEP_CA: earlier } = surroundings;
  // A value from an earlier mock may be replaced, because it is not the user's choice.
  if (extra === '' || extra === earlier) {
    return { variables: { LOCKSTEP_CA: ca, NODE_EXTRA_CA_CERTS: ca }, warning: undefined };
  }
  const warning = `NODE_EXTRA_CA_CERTS is ${extra} and stays so, so Node does not trust the mock; LOCKSTEP_CA has the file of its authority`;
  return { variables: { LOCKSTEP_CA: ca }, warning };
}

/** Finds a mock that answers, and tries again until the waiting time is over. */
async function reach(command: EnvCommand): Promise<MockAddress> {
  const until = performance.now() + (command.waitMs ?? 0);
  for (;;) {
    try {
      const options = { ...locate(command), token: command.adminToken };
      await checkHealth(options);
      return options;
    } catch (error) {
      if (!(error instanceof NotThere)) throw error;
      if (performance.now() >= until) throw explain(error, command);
    }
    await pause(POLL_MS);
  }
}

function locate({ readyFile, baseUrl, ca }: EnvCommand): MockAddress {
  const advice = '; a world is named with --world';
  if (readyFile === undefined)
    return { baseUrl: originOf(baseUrl ?? DEFAULT_BASE_URL, advice), ca };
  const ready = readReadyFile(readyFile);
  if (ready === undefined) {
    throw new NotThere(
      `No mock has written ${readyFile}; start one with lockstep mock --ready-file ${readyFile}`,
    );
  }
  return { ...ready, baseUrl: originOf(ready.baseUrl), ca: ca ?? ready.ca };
}

/** Throws Refused, with advice, if it is not the address of a mock. */
export function originOf(text: string, advice = ''): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.pathname !== '/') {
    throw new Refused(
      `${JSON.stringify(text)} is not the address of a mock, such as ${DEFAULT_BASE_URL}${advice}`,
    );
  }
  return url.origin;
}

/** The error for a mock that does not answer, with all other known facts. */
function explain({ message }: Error, { readyFile, waitMs = 0 }: EnvCommand): NotThere {
  const pid = readyFile === undefined ? undefined : readReadyFile(readyFile)?.pid;
  const left =
    pid === undefined || isRunning(pid)
      ? ''
      : `; process ${pid}, which has left ${readyFile}, is gone`;
  const waited = waitMs === 0 ? '; --wait 10s waits for a start' : ` (after ${waitMs / 1000} s)`;
  return new NotThere(`${message}${left}${waited}`);
}
