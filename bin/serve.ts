/** `lockstep mock`: starts a mock that listens, and says how to use it. */
import { isIP } from 'node:net';
import { createLog } from '../mock/cli/log.ts';
import { checkReadyFile, writeReadyFile } from '../mock/cli/ready-file.ts';
import { removeAuthority, writeAuthority } from '../mock/cli/tls.ts';
import { type Mock, startMock } from '../mock/kits/index.ts';
import { type Certificate, certificateFor } from '../mock/transport/certificate.ts';
import { idPrefixOf, isFixtureName } from '../mock/world/world-request.ts';
import { Refused } from '../spec/base/refused.ts';
import { visible } from '../spec/base/visible.ts';
import { contract } from '../spec/contract.ts';
import { aboutAddress, runOnChange } from './listening.ts';
import type { MockCommand } from './options/options.ts';

/** A path that can be read without an id, to try the mock with. */
const examplePath = contract.operations
  .values()
  .find(({ method, path }) => method === 'GET' && !path.includes('{'))?.path;

export interface Started {
  readonly mock: Mock & { readonly port: number };
  /** File of the authority to trust, under --tls; undefined if none could be written. */
  readonly ca: string | undefined;
  /** Ends every connection and removes the files that the start has written. */
  stop(): Promise<void>;
}

/** Starts the mock of a command. Rejects with Refused. */
export async function runMock(command: MockCommand): Promise<Started> {
  const { tls: names, log, readyFile, process: number, ...given } = command;
  const {
    deviate: deviations,
    alias,
    adminTokenEnv: adminToken,
    idle: idleMs,
    allowHost: allowHosts,
    watch = false,
    ...options
  } = given;
  if (watch && isFixtureName(options.fixture))
    throw new Refused(`--watch needs --fixture FILE, and ${options.fixture} is a bundled fixture`);
  try {
    if (readyFile !== undefined) await checkReadyFile(readyFile);
    const tls = certificateOf(names, options.host);
    const idPrefix = number === undefined ? undefined : idPrefixOf(number, Date.now());
    if (log !== 'silent' && options.fixture.startsWith('large')) {
      process.stderr.write(`making the rows of ${options.fixture}\n`);
    }
    const mock = await startMock({
      ...options,
      ...{
        deviations,
        unitCountAlias: alias,
        adminToken,
        allowHosts,
        idleMs,
        tls,
        idPrefix,
      },
    });
    mock.service.onAnswer = createLog(log);
    // A browser does not show the reason to its page, so the reason is printed here.
    mock.service.onTurnedAway = (body) => {
      if (log !== 'silent') process.stderr.write(`${visible(body)}\n`);
    };
    mock.service.onIdle = ({ id }) => {
      if (log !== 'silent')
        process.stderr.write(`world ${id} was removed: nobody used it for the time of --idle\n`);
    };
    return await announce(mock, tls, readyFile, watch ? options.fixture : undefined);
  } catch (error) {
    throw aboutAddress(error, command.host, command.port);
  }
}

function certificateOf(tls: MockCommand['tls'], host: string): Certificate | undefined {
  if (tls === undefined) return undefined;
  const names = tls === true ? [] : tls.split(',').map((name) => name.trim());
  const wrong = names.find(
    (name) => isIP(name) === 0 && !/^[a-z0-9*]([a-z0-9._-]*[a-z0-9])?$/i.test(name),
  );
  if (wrong !== undefined) {
    throw new Refused(
      `--tls takes host names, such as --tls mock.internal,10.0.0.7, not ${JSON.stringify(wrong)}`,
    );
  }
  return certificateFor(host, ...names);
}

/** Writes the authority and the ready file. If one cannot be written, stops the mock and leaves neither. */
async function announce(
  mock: Started['mock'],
  tls: Certificate | undefined,
  readyFile: string | undefined,
  watched: string | undefined,
): Promise<Started> {
  const undo: (() => void)[] = [];
  const stop = async () => {
    for (const remove of undo.splice(0).reverse()) remove();
    await mock.close();
  };
  try {
    const ca = tls === undefined ? undefined : writeAuthority(tls.ca);
    if (ca !== undefined) undo.push(() => removeAuthority(ca));
    if (readyFile !== undefined) {
      const { baseUrl, world } = mock;
      const content = { baseUrl, ca, world: world.id, credentials: world.credentials };
      undo.push(writeReadyFile(readyFile, content));
    }
    if (watched !== undefined) undo.push(watchFixture(watched, mock));
    return { mock, ca, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Reads a fixture again after each change of its file; the returned function stops that. */
function watchFixture(file: string, { service }: Started['mock']): () => void {
  const stop = new AbortController();
  let isStart = true;
  const read = async () => {
    if (!isStart) {
      const problems = await service.reload().catch((error: Error) => error.message);
      const said =
        problems === undefined ? 'was read again' : 'was refused: the worlds stay as they are';
      process.stderr.write(`${problems === undefined ? '' : `${problems}\n`}${file} ${said}\n`);
    }
    isStart = false;
    return 0;
  };
  void runOnChange([file], read, stop.signal);
  return () => stop.abort();
}

/** The text that a start prints: the mock's address, the credentials, a curl line that works. */
export function banner({ mock, ca }: Started, fixture: string): string {
  const { credentials } = mock.world;
  const width = Math.max(...Object.keys(credentials).map((name) => name.length));
  const secure = mock.baseUrl.startsWith('https:');
  // Without a file only the mock itself can give the certificate, so a client cannot check it.
  const trust = secure ? (ca === undefined ? ' --insecure' : ` --cacert ${ca}`) : '';
  const authority = ca ?? `${mock.baseUrl}/__admin/ca.pem`;
  const first = credentials.admin ?? Object.values(credentials)[0];
  return [
    `Lockstep serves the fixture ${fixture} at ${mock.baseUrl}`,
    ...(secure ? [`certificate authority to trust: ${authority}`] : []),
    '',
    'credentials (send them as Authorization: Bearer ...):',
    ...Object.entries(credentials).map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    '',
    'try:',
    `  curl -i${trust} -H 'Authorization: Bearer ${first}' ${mock.baseUrl}${examplePath}`,
    '',
    `a world of your own: POST ${mock.baseUrl}/__admin/worlds`,
    `console and control API: ${mock.baseUrl}/__admin/`,
    '',
  ].join('\n');
}
