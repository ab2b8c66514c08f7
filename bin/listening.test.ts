import { expect, test } from 'vitest';
import { run } from '../mock/testing/program.ts';

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
