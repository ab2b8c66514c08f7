import { expect, test } from 'vitest';
import { program, run } from '../mock/testing/program.ts';

test.for(['20.20.2', '22.21.1'])(
  'Node %s is refused in one line, and the line has a remedy',
  async (version) => {
    const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
    const args = ['--import', `data:text/javascript,${encodeURIComponent(older)}`, program];
    expect(await run(process.execPath, args).ended).toEqual({
      code: 2,
      stdout: '',
      stderr: `lockstep needs Node 22.22 or later; this is Node ${version}. In a checkout, "npm ci" installs one: use "npm start" or node_modules/.bin/node.\n`,
    });
  },
);
