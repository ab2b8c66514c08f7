import { expect, test } from 'vitest';
import { where } from './where.ts';

test('the command lists the line of a statement, its scenarios, deviations and code', () => {
  const [head, ...lines] = where('FOLDER-2');
  expect(head).toMatch(/^FOLDER-2 \(documented, PUT .+, line \d+ of the description\): .+/);
  const found = (kind: string) => lines.filter((line) => line.startsWith(kind));
  expect(found('contract').join()).toMatch(/spec\/openapi\.yaml:\d+.*spec\/statements\.yaml:\d+/);
  expect(found('scenarios').join()).toMatch(/conformance\/scenarios\/folders\/.+\.yaml:\d+/);
  expect(found('broken by').length).toBeGreaterThan(5);
});

test('files that a program writes are left out', () => {
  expect(where('FOLDER-2').join()).not.toMatch(/generated|reports\/exam\.md/);
});

test('an unknown statement is refused with the one that may be meant', () => {
  expect(() => where('FOLDR-2')).toThrow('there is no statement FOLDR-2 (did you mean FOLDER-2?)');
});
