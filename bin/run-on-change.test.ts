import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { runOnChange } from './run-on-change.ts';

test('it runs once, and again after each change, until it is told to stop', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-watch-'));
  const file = join(folder, 'a.yaml');
  writeFileSync(file, 'one');
  const stop = new AbortController();
  const run = vi.fn(async () => run.mock.calls.length);
  const done = runOnChange([folder], run, stop.signal);
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(1));
  writeFileSync(file, 'another');
  writeFileSync(file, 'another one');
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(2), 5000);
  writeFileSync(join(folder, 'new.yaml'), 'a new file');
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(3), 5000);
  stop.abort();
  expect(await done).toBe(3);
});
