/** A reader of the output may leave early, as `head` does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startMock } from '../mock/kits/index.ts';
import { program } from '../mock/testing/program.ts';

/** Runs a command whose reader is gone before the first line; gives its exit code and its errors. */
async function unread(...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [code] = await once(child, 'close');
  return { code, errors };
}

test('a command that prints much ends without a word', async () => {
  expect(await unread('contract')).toEqual({ code: 0, errors: '' });
});

test('a run goes on to its certificate', async () => {
  await using mock = await startMock();
  const out = mkdtempSync(join(tmpdir(), 'closed-pipe-'));
  const options = ['--base-url', mock.baseUrl, '--only', 'DEPL-2', '--out', out];
  const { code, errors } = await unread('certify', ...options);
  expect(errors).not.toContain('EPIPE');
  expect(code).toBe(0);
  expect(existsSync(join(out, 'report.json'))).toBe(true);
});
