/**
 * Scenario files of one's own, next to the suite or instead of it. They can break a promise and verify
 * none (`judge/custom.ts`), and are protected as ours are.
 */

import { hash } from 'node:crypto';
import { globSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, relative, resolve, sep } from 'node:path';
import { ifThere, mustStay, Refused } from '../../spec/base/refused.ts';
import type { CustomFile, RunOptions } from '../judge/report.ts';
import { loadScenario, refuseSameTitles, suiteFolder } from '../language/load.ts';
import type { Suite } from '../language/scenario.ts';

export interface CustomText extends CustomFile {
  readonly text: string;
}

/** The files of a run: files of the suite (all if undefined) and custom files. */
export interface ChosenFiles extends Pick<RunOptions, 'files'> {
  readonly custom: readonly CustomText[];
}

/**
 * The files that paths mean: files, folders, and files of the suite by the name that `--list` prints.
 * `alone` leaves the rest of the suite out. Throws Refused.
 */
export function chosenFiles(
  paths: readonly string[],
  cwd: string,
  { scenarios }: Suite,
  alone: boolean,
): ChosenFiles {
  const ours = new Set(scenarios.map(({ location }) => location.file));
  const found = new Set(paths.flatMap((path) => filesAt(path, cwd)));
  const named = [...found].map((file) => ({ file, ofSuite: nameFrom(suiteFolder, file) }));
  const files = named.map(({ ofSuite }) => ofSuite).filter((name) => ours.has(name));
  const others = named.filter(({ ofSuite }) => !ours.has(ofSuite));
  const custom = others.map(({ file }, index): CustomText => {
    const name = nameFrom(realpathSync(cwd), file);
    if (ours.has(name)) throw new Refused(`${name}: the suite has a file of this name; rename it`);
    const text = readFileSync(file, 'utf8');
    return { file: name, copy: copyOf(name, index), sha256: hash('sha256', text), text };
  });
  return { files: alone ? files : undefined, custom };
}

/** The suite of a run. Throws LoadError. */
export function suiteOf(suite: Suite, { files, custom }: ChosenFiles): Suite {
  const own = custom.map(({ file, text }) => loadScenario(file, text));
  refuseSameTitles([...suite.scenarios, ...own]);
  const kept = suite.scenarios.filter(({ location }) => files?.includes(location.file) !== false);
  // A user who asks for single files wants to see all of their scenarios.
  const whole = files === undefined ? suite.whole : undefined;
  return { ...suite, whole, scenarios: [...kept, ...own] };
}

/** As a report names it, without its text. */
export function toldOf({ file, copy, sha256 }: CustomText): CustomFile {
  return { file, copy, sha256 };
}

/** Absolute. A path that is not in the folder of the run may be one of the suite. */
function filesAt(path: string, cwd: string): readonly string[] {
  for (const base of [cwd, suiteFolder]) {
    const place = ifThere(() => realpathSync(resolve(base, path)));
    if (place === undefined) continue;
    if (!statSync(place).isDirectory()) return [place];
    const inside = globSync('**/*.{yaml,yml}', { cwd: place }).sort();
    if (inside.length === 0) throw new Refused(`--scenarios ${path}: there is no .yaml file in it`);
    return inside.map((name) => {
      const file = resolve(place, name);
      mustStay(file, place);
      return file;
    });
  }
  throw new Refused(`--scenarios ${path}: there is no such file or folder`);
}

function nameFrom(folder: string, file: string): string {
  return relative(folder, file).split(sep).join('/');
}

/** The name of the copy next to the evidence. It is unique, although two files may share a name. */
function copyOf(file: string, index: number): string {
  const stem = basename(file).replace(/\.ya?ml$/, '');
  return `evidence/scenarios/${index + 1}-${stem.replaceAll(/[^\w-]+/g, '-')}.yaml`;
}
