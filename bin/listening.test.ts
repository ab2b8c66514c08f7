import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { run } from '../mock/testing/program.ts';
import { runOnChange } from './listening.ts';

const module = new URL('./listening.ts', import.meta.url).href;

/** A process whose stop takes as long as it likes. */
function stubborn() {
  const script = `
    import { onSignal } from ${JSON.stringify(module)};
    setInterval(() => {}, 60_000);
    onSignal(() => { console.log('stopping'); return new Promise(() => {}); });
    console.log('started');
  `;
  return run(process.execPath, ['--input-type=module', '--eval', script]);
}

test.for([
  ['SIGTERM', 'SIGTERM', 143],
  ['SIGINT', 'SIGINT', 130],
  ['SIGTERM', 'SIGINT', 130],
] as const)('%s waits for the stop; a later %s does not', async ([first, second, code]) => {
  const { child, printed, ended } = stubborn();
  await expect.poll(() => printed.stdout).toContain('started');
  child.kill(first);
  await expect.poll(() => printed.stdout).toContain('stopping');
  child.kill(second);
  expect(await ended).toMatchObject({ code, stdout: 'started\nstopping\n' });
});

test('a command with --watch runs once, and again after each change, until it is told to stop', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-watch-'));
  const file = join(folder, 'a.yaml');
  writeFileSync(file, 'one');
  const stop = new AbortController();
  const again = vi.fn(async () => again.mock.calls.length);
  const done = runOnChange([folder], again, stop.signal);
  await vi.waitFor(() => expect(again).toHaveBeenCalledTimes(1));
  writeFileSync(file, 'another');
  writeFileSync(file, 'another one');
  await vi.waitFor(() => expect(again).toHaveBeenCalledTimes(2), 5000);
  writeFileSync(join(folder, 'new.yaml'), 'a new file');
  await vi.waitFor(() => expect(again).toHaveBeenCalledTimes(3), 5000);
  stop.abort();
  expect(await done).toBe(3);
});
