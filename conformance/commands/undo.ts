/** Finishes the clean-up of an interrupted run from its ledger. */

import { join, resolve } from 'node:path';
import { isObject } from '../../spec/base/json.ts';
import { type ExitCode, exitCodes } from '../judge/report.ts';
import {
  isRunning,
  type LedgerContent,
  type LedgerWrite,
  markRestored,
  type OpenObject,
  readLedgers,
  removeLedger,
} from '../safety/ledger.ts';
import { pathOf, put, restorerOf, type Send } from '../safety/restore.ts';
import { Client, CouldNotRun } from '../target/client.ts';
import { Evidence } from '../target/evidence.ts';
import { Guard, type WriteTarget, writeTarget } from '../target/guard.ts';
import { Redactor } from '../target/redact.ts';
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
    if (ledger.header !== undefined && isRunning(ledger.header)) {
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
  const exitCode =
    lists.refused.length > 0
      ? exitCodes.unsafe
      : lists.failed.length > 0
        ? exitCodes.couldNotRun
        : exitCodes.ok;
  return { exitCode, ...lists };
}

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
  const keeper = target.credentials.get('admin') ?? target.credentials.get('oauth');
  if (keeper === undefined)
    throw new UsageError('undo needs the credential admin or oauth of the tenant file');
  const guard = new Guard({ agreed: [], marks: [] });
  const redactor = new Redactor();
  const client = new Client(target, guard, redactor, new Evidence(redactor, false), {
    patienceMs: 120_000,
  });
  const call: Send = (request) => {
    const headers: Record<string, string> =
      request.text === undefined ? {} : { 'content-type': 'application/json' };
    const outgoing = {
      ...request,
      headers,
      authorization: `Bearer ${keeper.secret}`,
      plain: false,
    };
    return client.call(outgoing, 'undo', { scenario: 'undo', step: 'undo', kind: 'restore' });
  };
  try {
    // The last first: one branch may stand in the ledger by name and by identifier.
    for (const item of ledger.open.toReversed()) {
      const object = objectOf(item);
      guard.permit(object);
      if (isUnreadableSwitch(item)) await target.wait(options.convergenceMs ?? 30_000);
      const outcome = await undoOne(item, object, call, (ms) => target.wait(ms));
      lists[outcome].push(item.first.object);
      if (outcome !== 'failed' && outcome !== 'refused') markRestored(ledger.file, item.first.key);
    }
  } finally {
    await close();
  }
  const left = readLedgers(join(ledger.file, '..')).find((item) => item.file === ledger.file);
  if (left !== undefined && left.open.length === 0) removeLedger(ledger.file);
}

/** A line for each object: how many requests were sent to it, and whom they named. */
function permanentLines(writes: readonly LedgerWrite[]): string[] {
  return [...Map.groupBy(writes, ({ object }) => object)].map(([object, all]) => {
    const named = new Set(all.flatMap(({ sent }) => recipientsIn(sent)));
    const [some, more] = [[...named].slice(0, 10), named.size - 10];
    const whom = more > 0 ? `${some.join(', ')} and ${more} more` : some.join(', ');
    const times = `${all.length} ${all.length === 1 ? 'request' : 'requests'}`;
    return `${object}: ${times}, some perhaps refused${whom === '' ? '' : `, naming ${whom}`}`;
  });
}

function recipientsIn(sent: unknown): string[] {
  const list = isObject(sent) ? sent.recipients : undefined;
  return (Array.isArray(list) ? list : []).flatMap((item: unknown) => {
    const { externalId, email, userId } = isObject(item) ? item : {};
    const name = externalId ?? email ?? userId;
    return typeof name === 'string' || typeof name === 'number' ? [String(name)] : [];
  });
}

function objectOf({ first }: OpenObject): WriteTarget {
  const body = {
    ...(first.branch.name === undefined ? {} : { branchName: first.branch.name }),
    ...(first.branch.id === undefined ? {} : { branchId: first.branch.id }),
  };
  const object = writeTarget(first.method, first.path, body);
  if (object === undefined) throw new UsageError(`${first.method} ${first.path} is no write`);
  return object;
}

function isUnreadableSwitch({ first }: OpenObject): boolean {
  const { before } = first;
  return (
    first.operation === 'setStagingEnvironment' && isObject(before) && before.enabled === undefined
  );
}

async function undoOne(
  item: OpenObject,
  object: WriteTarget,
  send: Send,
  wait: (milliseconds: number) => Promise<void>,
): Promise<'restored' | 'untouched' | 'refused' | 'failed'> {
  const restorer = restorerOf(object);
  const { before } = item.first;
  // Nothing was there, or it could not be read and an empty write was all that was sent.
  if (restorer === undefined || before === null) return 'untouched';
  try {
    const now = await restorer.read(object, send);
    if (now === undefined || now === null) return 'failed';
    const asBefore = restorer.same(before, now);
    const ours =
      asBefore ||
      item.seen.some((seen) => restorer.same(seen, now)) ||
      restorer.ours(now, before, item.sent);
    if (!ours) return 'refused';
    // Also where it reads as before: a list may show a write late, and a PUT of what is there
    // already changes nothing.
    for (const body of restorer.bodies(object, before, now)) await send(put(pathOf(object), body));
    for (let attempt = 0; attempt < 10; attempt++) {
      if (restorer.same(before, await restorer.read(object, send))) {
        return asBefore ? 'untouched' : 'restored';
      }
      await wait(1000);
    }
    return 'failed';
  } catch (error) {
    if (error instanceof CouldNotRun) return 'failed';
    throw error;
  }
}
