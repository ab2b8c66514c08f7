/** Finishes the clean-up of an interrupted run from its ledger. */

import { join, resolve } from 'node:path';
import { isObject } from '../../spec/base/json.ts';
import { contract, type OperationId } from '../../spec/contract.ts';
import { type ExitCode, exitCodes } from '../judge/report.ts';
import type { SafetyFacts } from '../safety/areas.ts';
import { askWith, keeperOf } from '../safety/ask.ts';
import {
  isAlive,
  type LedgerContent,
  type LedgerWrite,
  markRestored,
  type OpenObject,
  readLedgers,
  removeLedger,
} from '../safety/ledger.ts';
import { type PutBack, putBack, type Way } from '../safety/put-back.ts';
import { restorerOf } from '../safety/restorer.ts';
import { TargetCall, type TenantObject } from '../target/call.ts';
import { Client, CouldNotRun } from '../target/client.ts';
import { Guard } from '../target/guard.ts';
import { tenantTarget } from '../target/tenant-target.ts';
import { httpTransport } from '../target/transport.ts';
import { readTenant, UsageError } from './open-target.ts';
import type { CommandIo } from './options.ts';

export interface UndoOptions {
  readonly ledger?: string | undefined;
  /** How long a switch may take to show, where only the environments list shows it; default 30000. */
  readonly convergenceMs?: number | undefined;
  readonly ca?: string | undefined;
}

export interface Undone {
  readonly exitCode: ExitCode;
  readonly restored: readonly string[];
  /** What was as before already. */
  readonly untouched: readonly string[];
  /** Somebody else has changed these since; they are left alone. */
  readonly refused: readonly string[];
  readonly failed: readonly string[];
  /** Writes that nothing can take back. */
  readonly permanent: readonly string[];
  readonly message?: string;
}

type Lists = { [K in 'restored' | 'untouched' | 'refused' | 'failed' | 'permanent']: string[] };

export async function undo(options: UndoOptions, io: CommandIo): Promise<Undone> {
  const folder = resolve(io.cwd, options.ledger ?? join('.lockstep', 'ledger'));
  const lists: Lists = { restored: [], untouched: [], refused: [], failed: [], permanent: [] };
  for (const ledger of readLedgers(folder)) {
    if (ledger.header !== undefined && isAlive(ledger.header)) {
      const message = `the run ${ledger.header.runId} (process ${ledger.header.pid}) is still going`;
      return { exitCode: exitCodes.unsafe, ...lists, message };
    }
    try {
      await undoLedger(ledger, options, io, lists);
    } catch (error) {
      if (error instanceof UsageError)
        return { exitCode: exitCodes.usage, ...lists, message: error.message };
      throw error;
    }
  }
  const left = lists.refused.length + lists.failed.length;
  return { exitCode: left > 0 ? exitCodes.unsafe : exitCodes.ok, ...lists };
}

/** Where an object is listed after its put-back. */
const listOf = {
  untouched: 'untouched',
  restored: 'restored',
  others: 'refused',
  unreadable: 'failed',
  different: 'failed',
} as const satisfies Record<PutBack, keyof Lists>;

async function undoLedger(
  ledger: LedgerContent,
  options: UndoOptions,
  io: CommandIo,
  lists: Lists,
): Promise<void> {
  lists.permanent.push(...permanentLines(ledger.permanent));
  const { header } = ledger;
  if (header === undefined || ledger.open.length === 0) return removeLedger(ledger.file);
  const file = header.tenantFile === undefined ? undefined : readTenant(header.tenantFile);
  const { send, close } = httpTransport({ ca: options.ca, connections: 2, env: io.env });
  const { target } = tenantTarget(header.baseUrl, file, io.env, send, close);
  const authorization = keeperOf(target);
  if (authorization === undefined)
    throw new UsageError('undo needs the credential admin or oauth of the tenant file');
  const guard = new Guard({}, []);
  const occasion = { scenario: 'undo', step: 'undo', kind: 'restore' } as const;
  const way: Way = {
    ask: askWith(new Client(target, guard), authorization, 'undo', occasion),
    wait: (milliseconds) => target.wait(milliseconds),
    convergenceMs: options.convergenceMs ?? 30_000,
    arrivalMs: 10_000,
    later: true,
  };
  try {
    // The last first: one branch may stand in the ledger by name and by identifier.
    for (const item of ledger.open.toReversed()) {
      const object = objectOf(item);
      guard.permit(object);
      const outcome = await undoOne(item, object, io.safety, way);
      lists[listOf[outcome]].push(item.first.object);
      if (outcome === 'untouched' || outcome === 'restored') {
        markRestored(ledger.file, item.first.key);
      }
    }
  } finally {
    await close();
  }
  const left = readLedgers(join(ledger.file, '..')).find((item) => item.file === ledger.file);
  if (left !== undefined && left.open.length === 0) removeLedger(ledger.file);
}

async function undoOne(
  { first, sent, seen }: OpenObject,
  object: TenantObject,
  { restore }: SafetyFacts,
  way: Way,
): Promise<PutBack> {
  const restorer = restorerOf(object, restore);
  if (restorer === undefined) return 'untouched';
  try {
    return await putBack(
      { object, restorer, before: first.before, sent, seen, written: true },
      way,
    );
  } catch (error) {
    if (error instanceof CouldNotRun) return 'unreadable';
    throw error;
  }
}

/** A line for each object: how many requests were sent to it, and whom they named. */
function permanentLines(writes: readonly LedgerWrite[]): string[] {
  return [...Map.groupBy(writes, ({ object }) => object)].map(([object, all]) => {
    const named = new Set(all.flatMap(peopleIn));
    const [some, more] = [[...named].slice(0, 10), named.size - 10];
    const whom = more > 0 ? `${some.join(', ')} and ${more} more` : some.join(', ');
    const times = `${all.length} ${all.length === 1 ? 'request' : 'requests'}`;
    return `${object}: ${times}, some perhaps refused${whom === '' ? '' : `, naming ${whom}`}`;
  });
}

/** Each of them by one key, the most telling one. */
function peopleIn({ operation, sent }: LedgerWrite): string[] {
  const people = contract.operations.get(operation as OperationId)?.people;
  const list = people !== undefined && isObject(sent) ? sent[people.list] : undefined;
  return (Array.isArray(list) ? list : []).filter(isObject).flatMap((person) => {
    const key = people?.keys.findLast((name) => ['string', 'number'].includes(typeof person[name]));
    return key === undefined ? [] : [String(person[key])];
  });
}

function objectOf({ first: { method, path, sent } }: OpenObject): TenantObject {
  const nothing = { query: [], headers: {}, authorization: undefined, text: undefined };
  const { object } = new TargetCall({ method, path, ...nothing, body: sent, plain: false });
  if (object === undefined) throw new UsageError(`${method} ${path} is no write`);
  return object;
}
