import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { authorisationFamily } from './authorisation.ts';
import { readCompiled, writeCompiled } from './compiled-suite.ts';
import { loadScenarios, readScenarioFiles } from './load.ts';

const made = { scenarios: loadScenarios(readScenarioFiles()), family: authorisationFamily() };

/** A folder with one file that the suite is made of. */
function written() {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-compiled-'));
  mkdirSync(join(folder, 'conformance', 'scenarios'), { recursive: true });
  const text = join(folder, 'conformance', 'scenarios', 'one.yaml');
  writeFileSync(text, 'scenario: One');
  writeCompiled(made, folder);
  return { folder, text, file: join(folder, 'conformance', 'suite.compiled') };
}

test('the file gives the suite that was loaded, with the operations of the contract', () => {
  const read = readCompiled(written().folder);
  expect(read?.scenarios).toEqual(made.scenarios);
  expect(read?.family).toEqual(made.family);
  const operation = made.scenarios[0]?.steps[0]?.operation;
  expect(operation).toBeDefined();
  expect(read?.scenarios[0]?.steps[0]?.operation).toBe(operation);
});

test('it is not read if a text has changed, or if it is cut off', () => {
  const { folder, file, text } = written();
  writeFileSync(text, 'scenario: Two');
  expect(readCompiled(folder)).toBeUndefined();
  writeFileSync(text, 'scenario: One');
  expect(readCompiled(folder)).toBeDefined();
  writeFileSync(join(folder, 'conformance', 'scenarios', 'two.yaml'), '');
  expect(readCompiled(folder)).toBeUndefined();
  const bytes = readFileSync(written().file);
  writeFileSync(file, bytes.subarray(0, bytes.length / 2));
  expect(readCompiled(folder)).toBeUndefined();
});
