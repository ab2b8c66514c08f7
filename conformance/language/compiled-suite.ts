/**
 * Keeps the loaded suite in a file. Reading this file takes a tenth of the time of reading the
 * YAML. The file names the texts and the code that it was made from. If one of them has changed,
 * the file is not used.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { ifThere } from '../../spec/base/refused.ts';
import { contract, type OperationId } from '../../spec/contract.ts';
import type { Family } from './authorisation.ts';
import { suiteFolder } from './load.ts';
import { everyStep, type Scenario, type Step } from './scenario.ts';

/** The scenarios of the files, and the family of the matrix. */
export interface Loaded {
  readonly scenarios: readonly Scenario[];
  readonly family: Family;
}

interface Compiled extends Loaded {
  readonly digest: string;
  /** The operation of each step, in order, because steps share the operations of the contract. */
  readonly operations: readonly (OperationId | undefined)[];
}

const name = 'conformance/suite.compiled';
/** All files that affect the result of the loader. */
const sources = [
  'conformance/*.{json,yaml}',
  'conformance/scenarios/**/*.{yaml,yml}',
  'conformance/{answers,language}/*.{js,ts}',
  'spec/{,base/}*.{js,json,ts,yaml}',
];

function digestOf(folder: string): string {
  const digest = createHash('sha256');
  for (const file of globSync(sources, { cwd: folder }).sort())
    digest.update(`${file}\0`).update(readFileSync(join(folder, file)));
  return digest.digest('hex');
}

/** Every step, including steps inside steps. */
const stepsOf = ({ scenarios, family }: Loaded): { operation: Step['operation'] }[] =>
  [...scenarios, ...family.scenarios].flatMap(everyStep);

/** Returns undefined if there is no such file, or if it was made from something else. */
export function readCompiled(folder: string = suiteFolder): Loaded | undefined {
  const bytes = ifThere(() => readFileSync(join(folder, name)));
  const compiled = bytes && deserialized(bytes);
  if (compiled?.digest !== digestOf(folder)) return undefined;
  for (const [index, step] of stepsOf(compiled).entries()) {
    const id = compiled.operations[index];
    step.operation = id && contract.operations.get(id);
  }
  return compiled;
}

function deserialized(bytes: Buffer): Compiled | undefined {
  try {
    return deserialize(bytes) as Compiled;
  } catch {
    // Another version of Node may have written it.
    return undefined;
  }
}

/** Writes the file into a folder that holds `conformance/`. */
export function writeCompiled({ scenarios, family }: Loaded, folder: string = suiteFolder): void {
  const steps = stepsOf({ scenarios, family });
  const given = steps.map(({ operation }) => operation);
  for (const step of steps) step.operation = undefined;
  const operations = given.map((operation) => operation?.id);
  const compiled: Compiled = { scenarios, family, operations, digest: digestOf(folder) };
  const bytes = serialize(compiled);
  for (const [index, step] of steps.entries()) step.operation = given[index];
  const file = join(folder, name);
  // Two runs of the tests may write the file at the same time, so it is renamed into place.
  const own = `${file}.${process.pid}`;
  writeFileSync(own, bytes);
  renameSync(own, file);
}
