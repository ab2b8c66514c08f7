/**
 * Requests that meet every silence of the contract. Each area has its own, in
 * `mock/areas/<area>/testing/corpus.ts`; requests that belong to no area are in the pipeline. Two
 * tests use them. Each alternative must change the answer to at least one request. The
 * Lockstep-Basis of each answer must list exactly the silences whose switch changes it.
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
