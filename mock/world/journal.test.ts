import { expect, test } from 'vitest';
import { Journal, type JournalEntry } from './journal.ts';

const entry = (responseBody: string, requestBody?: Uint8Array): Omit<JournalEntry, 'id'> => ({
  at: 0,
  method: 'GET',
  path: '/api/v1/deployments',
  query: '',
  headers: {},
  operation: 'listDeployments',
  credential: 'admin',
  requestBody,
  status: 200,
  responseHeaders: {},
  responseBody,
  assumed: [],
  refusal: null,
  fault: null,
  page: null,
  basis: 'documented',
  passedOver: [],
  contractFailures: [],
});

test('the oldest entries go when there are too many', () => {
  const journal = new Journal(3);
  for (let index = 0; index < 5; index += 1) journal.record(entry(`${index}`));
  expect(journal.list().map(({ id, responseBody }) => [id, responseBody])).toEqual([
    [3, '2'],
    [4, '3'],
    [5, '4'],
  ]);
  expect(journal.dropped).toBe(2);
  expect(journal.get(2)).toBeUndefined();
});

test('a long body is cut, and says so', () => {
  const journal = new Journal();
  const { responseBody, requestBody } = journal.record(
    entry('x'.repeat(100_000), new Uint8Array(100_000)),
  );
  expect(responseBody).toMatch(/x… \(cut\)$/);
  expect(responseBody?.length).toBeLessThan(70_000);
  expect(requestBody).toHaveLength(65_536);
});

test('the bodies of a journal together stay within 16 MiB', () => {
  const journal = new Journal();
  for (let index = 0; index < 1000; index += 1) journal.record(entry('x'.repeat(60_000)));
  const held = journal.list();
  const bytes = held.reduce((sum, { responseBody }) => sum + (responseBody?.length ?? 0), 0);
  expect(bytes).toBeLessThanOrEqual(16 * 1024 * 1024);
  expect(bytes).toBeGreaterThan(15 * 1024 * 1024);
  expect(held.at(-1)?.id).toBe(1000);
  expect(journal.dropped).toBe(1000 - held.length);
});
