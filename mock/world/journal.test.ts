import { expect, test } from 'vitest';
import { heldText, Journal, JournalBudget, type JournalEntry } from './journal.ts';

const entry = (responseBody: string, sent?: string): Parameters<Journal['record']>[0] => ({
  at: 0,
  method: 'GET',
  path: '/api/v1/deployments',
  query: '',
  headers: {},
  operation: 'listDeployments',
  credential: 'admin',
  requestBody: heldText(sent === undefined ? undefined : Buffer.from(sent)),
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
  changes: [],
});

test('headers are kept without the credential, and only once while they stay the same', () => {
  const journal = new Journal();
  const keptOf = (headers: JournalEntry['headers']) =>
    journal.record({ ...entry(''), headers }).headers;
  const sent = { host: 'a', accept: '*/*', authorization: 'Bearer acme-admin', cookie: 'x' };
  const first = keptOf(sent);
  expect(first).toEqual({ host: 'a', accept: '*/*' });
  expect(keptOf({ ...sent, authorization: 'Bearer acme-member' })).toBe(first);
  for (const other of [{ host: 'b', accept: '*/*' }, { host: 'a' }, { ...first, te: 'x' }, {}]) {
    expect(keptOf(other)).toEqual(other);
    expect(keptOf(sent)).toEqual(first);
  }
});

test('an entry that was read stays the same when the journal drops it', () => {
  const journal = new Journal(undefined, 2);
  const heard: JournalEntry[] = [];
  journal.subscribe((one) => void heard.push(one));
  journal.record(entry('"first"'));
  const [listed] = journal.list();
  const [last, got] = [journal.last(), journal.get(1)];
  for (const body of ['2', '3', '4']) journal.record(entry(body));
  for (const held of [listed, last, got, heard[0]]) {
    expect(held).toMatchObject({ id: 1, responseBody: '"first"' });
    expect(held?.json('response')).toBe('first');
  }
  expect(journal.list().map(({ id }) => id)).toEqual([3, 4]);
});

test.each([
  [
    'names of headers',
    { headers: Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`h${at}`, ''])) },
  ],
  [
    'rows that changed',
    {
      changes: [
        { table: 'folders', key: '1', before: undefined, after: { name: 'x'.repeat(2 ** 20) } },
      ],
    },
  ],
] as const)('%s count in the budget', (_name, more) => {
  const journal = new Journal();
  for (let index = 0; index < 300; index += 1) {
    const { headers = {} } = { headers: undefined, ...more };
    journal.record({ ...entry(''), ...more, headers: { ...headers, at: `${index}` } });
  }
  expect(journal.list().length).toBeLessThan(200);
});

test('the oldest entries are removed when there are too many', () => {
  const journal = new Journal(undefined, 3);
  for (let index = 0; index < 5; index += 1) journal.record(entry(`${index}`));
  expect(journal.list().map(({ id, responseBody }) => [id, responseBody])).toEqual([
    [3, '2'],
    [4, '3'],
    [5, '4'],
  ]);
  expect(journal.dropped).toBe(2);
  expect(journal.get(2)).toBeUndefined();
});

test('a long body is cut and marked', () => {
  const journal = new Journal();
  const { responseBody, requestBody } = journal.record(
    entry('x'.repeat(100_000), 'y'.repeat(300_000)),
  );
  expect(responseBody).toMatch(/x… \(cut\)$/);
  expect(responseBody?.length).toBeLessThan(70_000);
  expect(requestBody).toMatch(/y… \(cut\)$/);
  expect(requestBody?.length).toBeLessThan(270_000);
});

test('bodies are text, and can be read as JSON', () => {
  const journal = new Journal();
  const recorded = (given: ReturnType<typeof entry>) => journal.get(journal.record(given).id);
  const both = recorded(entry('{"data":[]}', '{"name":"Ä"}'));
  expect(both?.requestBody).toBe('{"name":"Ä"}');
  expect([both?.json(), both?.json('response')]).toEqual([{ name: 'Ä' }, { data: [] }]);
  const neither = recorded(entry(''));
  expect([neither?.requestBody, neither?.json(), neither?.json('response')]).toEqual([
    null,
    undefined,
    undefined,
  ]);
  const cut = recorded(entry(`["${'x'.repeat(100_000)}"]`, `["${'y'.repeat(300_000)}"]`));
  expect(() => cut?.json('response')).toThrow(
    /the response of GET .* is longer than the journal holds/,
  );
  expect(() => cut?.json()).toThrow(/the request of GET .* is longer than the journal holds/);
  const csv = recorded(entry('id,name', 'x'.repeat(100_000)));
  expect(() => csv?.json('response')).toThrow(
    'the response of GET /api/v1/deployments is not JSON: id,name',
  );
  expect(() => csv?.json()).toThrow(/the request of GET .* is not JSON: x{80}…$/);
  expect(Object.keys(csv ?? {})).not.toContain('json');
});

test('the texts of a journal stay within 32 MiB in total', () => {
  const budget = new JournalBudget();
  const journal = new Journal(budget);
  for (let index = 0; index < 1000; index += 1) journal.record(entry('x'.repeat(60_000)));
  expect(budget.bytes).toBeLessThanOrEqual(32 * 1024 * 1024);
  expect(budget.bytes).toBeGreaterThan(31 * 1024 * 1024);
  const held = journal.list();
  expect(held.at(-1)?.id).toBe(1000);
  expect(journal.dropped).toBe(1000 - held.length);
});

test('journals share a budget; the least recently used journal forgets first', () => {
  const budget = new JournalBudget();
  const [quiet, busy] = [new Journal(budget), new Journal(budget)];
  for (let index = 0; index < 300; index += 1) quiet.record(entry('x'.repeat(60_000)));
  for (let index = 0; index < 500; index += 1) busy.record(entry('x'.repeat(60_000)));
  expect(busy.dropped).toBe(0);
  expect(quiet.dropped).toBeGreaterThan(200);
  busy.leave();
  quiet.clear();
  expect(budget.bytes).toBe(0);
  expect(busy.list()).toHaveLength(500);
});

test('ignored parts of a request count in the budget', () => {
  const budget = new JournalBudget();
  const journal = new Journal(budget);
  for (let index = 0; index < 100; index += 1) {
    journal.record({ ...entry(''), passedOver: ['x'.repeat(1_000_000)] });
  }
  expect(budget.bytes).toBeLessThanOrEqual(32 * 1024 * 1024);
});
