/** `lockstep capture`: the objects of a tenant as a fixture, with invented names. */
import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { captureCalls } from '../conformance/areas/capture.ts';
import { openTarget } from '../conformance/commands/open-target.ts';
import type { CertifyOptions } from '../conformance/commands/options.ts';
import { writeWhole } from '../conformance/gate/history.ts';
import { exitCodes } from '../conformance/judge/report.ts';
import { isLoopback } from '../conformance/target/target.ts';
import { capture } from '../conformance/watch/capture/capture.ts';
import { type NameKind, Pseudonyms } from '../conformance/watch/capture/names.ts';
import { readValue } from '../fixtures/read.ts';
import { fixtureText } from '../fixtures/write.ts';
import { complain, print, printError, redactor } from '../reports/terminal.ts';
import { Incomplete, ifThere, inWords, Refused } from '../spec/base/refused.ts';
import { version } from '../spec/base/version.ts';
import { seedOf } from './invented-names.ts';
import { surroundings } from './runner.ts';

export interface CaptureCommand
  extends Pick<CertifyOptions, 'baseUrl' | 'allowEnv' | 'allowCommand' | 'skipMissing' | 'rate'> {
  readonly tenant: string;
  readonly out: string;
  /** The source of the invented names. Default: a random one, kept in a file. */
  readonly seed?: string | undefined;
  readonly keep?: readonly NameKind[] | undefined;
}

/** The first words of a file that this command has written, and may write again. */
const MARK = '# Captured by Lockstep';
/** Requests a second of a tenant that is not on this machine. */
const USUAL_RATE = 8;

/** Reads the tenant and writes the fixture; resolves to the exit code. */
export async function runCapture(command: CaptureCommand): Promise<number> {
  const { out, keep = [], rate, seed, ...options } = command;
  const file = resolve(out);
  const before = ifThere(() => readFileSync(file, 'utf8'));
  if (before !== undefined && !before.startsWith(MARK))
    throw new Refused(`${out} exists and is not a capture: give --out another name`);
  const { key, told } = seedOf(seed);
  const io = surroundings();
  const { target, warnings } = await openTarget(options, io);
  for (const text of warnings) complain(text);
  try {
    const { fixture, notes, requests } = await capture(target, {
      calls: captureCalls,
      names: new Pseudonyms(key, keep),
      rate: rate ?? (isLoopback(target.baseUrl) ? undefined : USUAL_RATE),
      signal: io.signal,
      redactor,
      onProgress: progress(),
      onWait: (reason, ms) => printError(`${reason}: waiting for ${Math.ceil(ms / 1000)} s\n`),
    });
    if (!Array.isArray(fixture.deployments) || fixture.deployments.length === 0)
      throw new Incomplete(['there is nothing to capture', ...notes]);
    const kept = keep.length === 0 ? [] : [`Kept as they are: ${keep.join(', ')}.`];
    const text = fixtureText(fixture, [
      `${MARK.slice(2)} ${version}. Names are invented, and the same for the same seed.`,
      `Serve it: lockstep mock --fixture ${basename(out)} --profile profile.yaml`,
      ...kept,
      ...notes.map((note) => `- ${note}`),
    ]);
    if (redactor.holds(text)) throw new Refused('the data holds a credential: nothing is written');
    await readValue(fixture, basename(out), () => Promise.reject(new Error('it has no base')));
    try {
      writeWhole(file, text);
    } catch (error) {
      throw new Incomplete([`${file} cannot be written: ${inWords(error)}`]);
    }
    for (const note of notes) printError(`note: ${note}\n`);
    if (told !== undefined) printError(told);
    const { length } = fixture.deployments;
    print(`${out}: ${length} deployments, by ${requests} reads\n`);
    return exitCodes.ok;
  } finally {
    await target.close().catch(() => undefined);
  }
}

const EVERY_MS = 5000;

/** A line every few seconds, with the time left. */
function progress(): (done: number, all: number) => void {
  const start = performance.now();
  let last = start;
  return (done, all) => {
    const now = performance.now();
    if (now - last < EVERY_MS || done === 0) return;
    last = now;
    const left = ((now - start) / done) * (all - done);
    printError(`${done} of ${all} deployments, ${Math.ceil(left / 60_000)} min left\n`);
  };
}
