/**
 * Finishes the clean-up of an interrupted run from its ledger. A ledger may come from anywhere, so only
 * the tenant file sets the host, the credentials and the objects.
 */

import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { Redactor } from '../../spec/base/redactor.ts';
import { inWords, Refused } from '../../spec/base/refused.ts';
import { contract, type Effect, type OperationId } from '../../spec/contract.ts';
import { type ExitCode, exitCodes } from '../judge/report.ts';
import { type Bindings, worse } from '../language/vocabulary.ts';
import type { SafetyFacts } from '../safety/areas.ts';
import { askWith, restoringAuthorization } from '../safety/ask.ts';
import { boundObjects, unboundName } from '../safety/bound-objects.ts';
import {
  isAlive,
  type LedgerWrite,
  ledgerFiles,
  markRestored,
  type OpenObject,
  readLedger,
  sameTarget,
} from '../safety/ledger.ts';
import { otherRunIn, runText } from '../safety/marks.ts';
import { type PutBack, putBack, type Way } from '../safety/put-back.ts';
import { restorerOf } from '../safety/restorer.ts';
import { Settling } from '../safety/settling.ts';
import { peopleIn } from '../safety/staying.ts';
import { callTo, type TenantObject } from '../target/call.ts';
import { Client, CouldNotRun } from '../target/client.ts';
import { Guard, Unsafe } from '../target/guard.ts';
import type { Target } from '../target/target.ts';
import { failureOf, ledgerFolder, sealingOf } from './command.ts';
import { openTarget } from './open-target.ts';
import type { CertifyOptions, CommandIo } from './options.ts';

/** `convergenceMs`: how long a switch may take to show if only the environments list shows it. */
export interface UndoOptions
  extends Pick<
    CertifyOptions,
    'baseUrl' | 'allowEnv' | 'allowCommand' | 'ledger' | 'ledgerKeyEnv' | 'convergenceMs' | 'ca'
  > {
  readonly tenant: string;
  /** Lines of ledgers, as `<file>:<number>`, to follow although another credential wrote them. */
  readonly accept?: readonly string[] | undefined;
  /** Also looks for changes of runs on other machines that are not in the followed ledgers. */
  readonly foreign?: boolean | undefined;
  /** The most lasting effect that a put-back may have; default any. */
  readonly allow?: Effect | undefined;
}

export interface Undone {
  readonly exitCode: ExitCode;
  readonly restored: readonly string[];
  /** The objects that were already in their earlier state. */
  readonly untouched: readonly string[];
  /** Somebody else has changed these since; they are left alone. */
  readonly refused: readonly string[];
  /** The ways out, for each of them. They hold values of the tenant. */
  readonly hints: readonly string[];
  readonly failed: readonly string[];
  /** Writes that cannot be put back. */
  readonly permanent: readonly string[];
  /** The reasons why a ledger was not followed, or could not be removed; a line for each. */
  readonly problems: readonly string[];
}

type Lists = Record<Exclude<keyof Undone, 'exitCode'>, string[]>;

/** Reports its actions without a secret. It rejects only because of a defect. */
export async function undo(
  options: UndoOptions,
  { redactor = new Redactor(), ...rest }: CommandIo,
): Promise<Undone> {
  const io = { ...rest, redactor };
  const lists: Lists = {
    ...{ restored: [], untouched: [], failed: [], permanent: [], problems: [] },
    ...{ refused: [], hints: [] },
  };
  let exitCode: ExitCode = exitCodes.ok;
  let target: Target | undefined;
  const problem = (error: unknown): void => {
    const failure = failureOf(error);
    lists.problems.push(failure.message);
    exitCode = failure.exitCode;
  };
  try {
    ({ target } = await openTarget({ ...options, jobs: 1, skipMissing: true }, io));
    if (restoringAuthorization(target) === undefined)
      throw new Refused('undo needs the credential admin or oauth of the tenant file');
    for (const file of ledgerFiles(ledgerFolder(options, io.cwd))) {
      try {
        await undoLedger(file, target, options, io, lists);
      } catch (error) {
        problem(error);
      }
    }
    if (options.foreign === true) lists.failed.push(...(await marksOfOthers(target, options, io)));
  } catch (error) {
    problem(error);
  } finally {
    await target?.close();
  }
  if (lists.problems.length > 0 && exitCode === exitCodes.ok) exitCode = exitCodes.couldNotRun;
  if (lists.refused.length + lists.failed.length > 0) exitCode = exitCodes.unsafe;
  return redactor.value({ exitCode, ...lists });
}

/** The list that an object is in after its put-back. */
const listOf = {
  untouched: 'untouched',
  restored: 'restored',
  others: 'refused',
  unreadable: 'failed',
  different: 'failed',
} as const satisfies Record<PutBack, keyof Lists>;

/** Throws Unsafe if the ledger belongs to another target, or its run still goes on. */
async function undoLedger(
  file: string,
  target: Target,
  options: UndoOptions,
  io: CommandIo,
  lists: Lists,
): Promise<void> {
  const { safety, redactor } = io;
  const { accept = [], allow = 'permanent' } = options;
  const seal = sealingOf(options, target, io);
  const accepted = accept.map((place) => resolve(io.cwd, place));
  const { header, open, permanent, strange } = readLedger(file, seal, accepted);
  if (header === undefined) throw new Unsafe(`${file} does not say whose ledger it is`);
  if (!sameTarget(header.baseUrl, target.baseUrl)) {
    throw new Unsafe(`${file} is a ledger of ${header.baseUrl}, not of ${target.baseUrl}`);
  }
  if (isAlive(header)) {
    throw new Unsafe(`the run ${header.runId} (process ${header.pid}) is still going`);
  }
  lists.permanent.push(...permanentLines(permanent));
  const guard = new Guard();
  const client = new Client(target, guard, { redactor });
  const way: Way = {
    ask: askWith(client, restoringAuthorization(target), 'undo', 'restore'),
    wait: (milliseconds) => target.wait(milliseconds),
    settling: new Settling(options.convergenceMs),
    runId: header.runId,
    later: true,
  };
  let left = 0;
  // The last write comes first: one branch may be in the ledger by name and by identifier.
  for (const item of open.toReversed()) {
    try {
      const object = objectOf(item, target.bindings);
      if (worse(object.effect, allow))
        throw new Unsafe(`to put it back needs --allow ${object.effect}, or lockstep undo`);
      guard.permit(object);
      const outcome = await undoOne(item, object, safety, way);
      lists[listOf[outcome]].push(object.text);
      if (outcome === 'others') lists.hints.push(hintOf(item, file));
      if (outcome === 'untouched' || outcome === 'restored')
        mark(file, header, item.first.key, seal);
      else left++;
    } catch (error) {
      // After any error, the objects that follow are still put back.
      left++;
      lists.failed.push(`${item.first.object}: ${(error as Error).message}`);
    }
  }
  if (strange.length > 0) {
    lists.problems.push(...strange.slice(0, -1));
    throw new Unsafe(strange.at(-1));
  }
  if (left > 0) return;
  try {
    rmSync(file, { force: true });
  } catch (error) {
    lists.problems.push(`all is put back, and the ledger stays: ${inWords(error)}`);
  }
}

/** As long as the ledger has an object, no run begins. */
const hintOf = ({ first: { object, before } }: OpenObject, file: string): string =>
  `${object} was ${JSON.stringify(before)} before the run: set it so by hand and run undo again; or remove ${file}, to keep it as it is`;

/**
 * The objects that still carry the mark of a run, after `undo` has followed the ledgers. No ledger has
 * their earlier state, so nothing is written.
 */
async function marksOfOthers(
  target: Target,
  options: UndoOptions,
  { safety, redactor, cwd }: CommandIo,
): Promise<string[]> {
  const guard = new Guard();
  const client = new Client(target, guard, { redactor });
  const ask = askWith(client, restoringAuthorization(target), 'undo', 'restore');
  const objects = new Map(boundObjects(target.bindings).map(({ object }) => [object.key, object]));
  const found: string[] = [];
  for (const object of objects.values()) {
    guard.permit(object);
    const state = await restorerOf(object, safety.restore)?.read(object, ask);
    const run = otherRunIn(state);
    if (run === undefined) continue;
    found.push(
      `${object.text}: ${JSON.stringify(state)} is of the run ${runText(run)}, and no ledger in ${ledgerFolder(options, cwd)} says what it was. Name the ledger of the machine that ran it with --ledger, or change the name by hand`,
    );
  }
  return found;
}

/**
 * A full disk does not prevent putting back. The next undo finds the object in its earlier state.
 */
function mark(...line: Parameters<typeof markRestored>): void {
  try {
    markRestored(...line);
  } catch {
    // The ledger is removed at the end, or keeps an object that is already restored.
  }
}

async function undoOne(
  { first, sent, seen }: OpenObject,
  object: TenantObject,
  { restore }: SafetyFacts,
  way: Way,
): Promise<PutBack> {
  const restorer = restorerOf(object, restore);
  if (restorer === undefined) return 'untouched';
  const changed = { object, restorer, before: first.before, sent, seen, written: true };
  return await putBack(changed, way).catch((error: unknown) => {
    if (error instanceof CouldNotRun) return 'unreadable';
    throw error;
  });
}

/** One line for each object: how many requests were sent to it, and the people whom they named. */
function permanentLines(writes: readonly LedgerWrite[]): string[] {
  return [...Map.groupBy(writes, ({ object }) => object)].map(([object, all]) => {
    const named = new Set(
      all.flatMap(({ operation, sent }) =>
        peopleIn(contract.operations.get(operation as OperationId), sent),
      ),
    );
    const whom = [...named].join(', ');
    const times = `${all.length} ${all.length === 1 ? 'request' : 'requests'}`;
    return `${object}: ${times}, some perhaps refused${whom === '' ? '' : `, naming ${whom}`}`;
  });
}

/** Throws Unsafe if a run with this tenant file could not have made the write. */
function objectOf({ first: { method, path, sent, before } }: OpenObject, bindings: Bindings) {
  const { object } = callTo(method, path, sent);
  if (object?.operation?.restore === undefined) {
    throw new Unsafe(`${method} ${path} is not a write that can be put back`);
  }
  const strange = unboundName(object, bindings);
  // An object that the tenant does not have, such as a made-up branch, needs no put-back.
  if (strange !== undefined && before !== null) {
    throw new Unsafe(`the tenant file does not bind ${strange}`);
  }
  return object;
}
