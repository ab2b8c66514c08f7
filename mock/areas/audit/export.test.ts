import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMock } from '../../kits/index.ts';
import { listen } from '../../transport/node-http.ts';

const log = '/api/v1/audit-logs/export';
const event = { secondsBefore: 60, name: 'Login', userEmail: 'admin@example.com' };

test('a CSV reader gets the exact text of every event', async () => {
  await using mock = await createMock();
  const text = fc.string({ unit: fc.constantFrom('a', ' ', ',', '"', '\n', '\r', '=', 'é', ';') });
  await fc.assert(
    fc.asyncProperty(text, text, async (details, ipAddress) => {
      const audit = [{ ...event, details, ipAddress }, event];
      const fixture = { deployments: [{ id: 1, name: 'Sales' }], audit };
      const world = await mock.createWorld({ fixture, clock: '2026-01-31T09:30:05.007Z' });
      const answer = await (await world.fetch(log)).text();
      const rows: string[][] = parse(answer, { record_delimiter: '\r\n' });
      expect(rows[1]).toEqual([
        '2026-01-31T09:29:05.007Z',
        ...['Logged in', 'admin@example.com', '', ipAddress, details],
      ]);
    }),
    { numRuns: 50 },
  );
});

test('the events of acme are dated back from the start, and no move of the clock moves them', async () => {
  await using mock = await createMock();
  const rowsFrom = async (clock: string) => {
    const world = await mock.createWorld({ clock });
    const before = await (await world.fetch(log)).text();
    world.clock.advance({ days: 30 });
    expect(await (await world.fetch(log)).text()).toBe(before);
    return parse(before, { record_delimiter: '\r\n', columns: true }) as object[];
  };
  const rows = await rowsFrom('2026-01-31T09:30:00Z');
  expect(rows.length).toBeGreaterThanOrEqual(500);
  expect(await rowsFrom('2026-01-31T09:30:00Z')).toEqual(rows);
  expect(await rowsFrom('2026-02-01T09:30:00Z')).not.toEqual(rows);
});

test('an export is made in pieces, as it is read', async () => {
  await using mock = await createMock({ fixture: 'large', parameters: { auditEvents: 20_000 } });
  const headers = { authorization: 'Bearer acme-admin' };
  const { body } = await mock.service.handle({
    method: 'GET',
    target: log,
    headers,
    body: undefined,
  });
  if (body === null || typeof body === 'string') throw new Error('expected pieces');
  const lengths: number[] = [];
  for await (const piece of body) lengths.push(piece.length);
  expect(lengths.length).toBeGreaterThan(10);
  expect(Math.max(...lengths)).toBeLessThan(40_000);
});

test('the export pauses while its reader pauses, and ends when the reader disconnects', async () => {
  const piece = 'x'.repeat(64 * 1024);
  let made = 0;
  let ended = false;
  function* endless() {
    try {
      for (;;) {
        made += 1;
        yield piece;
      }
    } finally {
      ended = true;
    }
  }
  const handle = () => ({ status: 200, headers: {}, body: endless() });
  const listening = await listen(
    { bodyLimit: 0, closed: false, handle },
    { port: 0, host: '127.0.0.1' },
  );
  const client = connect(listening.port, '127.0.0.1');
  try {
    await once(client, 'connect');
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(() => made).toBeGreaterThan(0);
    for (let before = 0; before !== made; await wait(200)) before = made;
    // At most the system's buffer for the connection and a few pieces of the export.
    expect(made * piece.length).toBeLessThan(32 * 1024 * 1024);
    expect(ended).toBe(false);
    client.destroy();
    await expect.poll(() => ended).toBe(true);
  } finally {
    client.destroy();
    await listening.close();
  }
});
