/**
 * Requests that meet every silence of the contract. Each area brings its own, in
 * `mock/areas/<area>/testing/corpus.ts`; requests that belong to no area are in the pipeline. Two tests
 * run on them: each alternative changes the answer of one of them, and the Lockstep-Basis of each is
 * exactly what switching shows.
 */
import { globSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { CorpusEntry } from './corpus-entry.ts';

const mock = fileURLToPath(new URL('..', import.meta.url));
const files = globSync('{areas/*,pipeline}/testing/corpus.ts', { cwd: mock }).sort();
const modules = await Promise.all(
  files.map(
    async (file): Promise<{ readonly corpus: readonly CorpusEntry[] }> =>
      import(pathToFileURL(`${mock}${file}`).href),
  ),
);

export const corpus: readonly CorpusEntry[] = modules.flatMap((module) => module.corpus);
