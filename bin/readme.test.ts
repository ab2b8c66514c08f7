import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { countsOf } from '../mock/admin/docs.ts';
import { version } from '../mock/version.ts';
import { contract } from '../spec/contract.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

test.for([...contract.operations.values()])('the README counts what $id rests on', (operation) => {
  const { promised, assumed } = countsOf(operation);
  const line = `| \`${operation.id}\` | \`${operation.method} ${operation.path}\` | ${promised} | ${assumed} |`;
  expect(readme).toContain(line);
});

test('the version is that of package.json', () => {
  const manifest = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ) as { version: string };
  expect(version).toBe(manifest.version);
});
