/** Against any target a run ends with a verdict, uses little memory, and leaks no secret. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type TestContext, test } from 'vitest';
import { env, secrets, startFake, tenantYaml } from '../../conformance/testing/fake-service.ts';
import { figure, scaled } from '../../spec/testing/campaign.ts';
import { echoing, exhausting, type Hostile, speaking, spellings } from './hostile-targets.ts';

const runner = new URL('../../bin/lockstep.js', import.meta.url).pathname;
/**
 * Prints the peak memory of the program. `resourceUsage().maxRSS` is not usable, because on Linux
 * it starts at the memory of the parent process.
 */
const tellMemory = `data:text/javascript,
  import { readFileSync } from 'node:fs';
  process.on('exit', () => {
    const [, peak] = /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
    process.stderr.write('\\npeak ' + peak + '\\n');
  });`;

interface Ended {
  readonly code: number | null;
  /** The peak memory, MB. */
  readonly memory: number;
  /** The output, and every file that the run wrote. */
  readonly texts: ReadonlyMap<string, string>;
  readonly requests: number;
}

/**
 * Certifies a target that answers the preflight correctly, and every later read in its hostile way.
 */
async function certify(hostile: Hostile, { onTestFinished }: TestContext): Promise<Ended> {
  const service = await startFake();
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-hostile-'));
  onTestFinished(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });
  service.intercept = (request, count) =>
    count > 4 && request.method === 'GET' ? { raw: hostile } : undefined;
  writeFileSync(join(folder, 'tenant.yaml'), tenantYaml(service.baseUrl));
  // The run must manage with this heap. Without a limit V8 collects garbage late, and the peak
  // depends on the machine.
  const args = [
    '--max-old-space-size=128',
    '--import',
    tellMemory,
    runner,
    'certify',
    '--tenant',
    'tenant.yaml',
  ];
  const options = [
    '--out',
    'out',
    '--convergence',
    '1s',
    '--only',
    'DEPL-1,DEPL-2,PAGE-2',
    '--seed',
    '1',
  ];
  const child = spawn(process.execPath, [...args, ...options], {
    cwd: folder,
    env: { PATH: process.env.PATH, TMPDIR: folder, GITHUB_ACTIONS: 'true', ...env },
  });
  let printed = '';
  child.stdout.on('data', (data) => (printed += data));
  child.stderr.on('data', (data) => (printed += data));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const [, kilobytes] = /\npeak (\d+)\n/.exec(printed) ?? [];
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  const texts = new Map(
    files.map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'utf8')]),
  );
  texts.set('terminal', printed);
  const { length: requests } = service.requests;
  return { code, memory: Number(kilobytes) / 1024, texts, requests };
}

function mustBeSound({ code, memory, texts, requests }: Ended): void {
  const printed = texts.get('terminal') ?? '';
  expect([1, 4], printed).toContain(code);
  expect(printed).not.toMatch(/\n\s+at .*:\d+:\d+/);
  expect(printed).not.toContain('the runner failed');
  expect(memory).toBeLessThan(300);
  figure('targets that are hostile', 'most memory of a run, MB', Math.round(memory));
  figure('targets that are hostile', 'most requests of a run', requests);
  expect(requests).toBeLessThan(20_000);
}

/** By day every third target, which includes some of each kind; at night all. */
const chosen = Object.entries(exhausting).filter((_one, index) => index % scaled(3, 1) === 0);

// Most of these runs wait for a deadline, so several run in parallel.
test.concurrent.for(chosen)('%s', async ([, hostile], context) => {
  mustBeSound(await certify(hostile, context));
});

/** Each read gets the next answer of the table. */
function inTurn(table: Readonly<Record<string, Hostile>>): Hostile {
  const all = Object.values(table);
  let turn = 0;
  return (response) => all[turn++ % all.length]?.(response);
}

test('the key never leaks, whatever its place and form', async (context) => {
  const ended = await certify(inTurn(echoing), context);
  mustBeSound(ended);
  expect(ended.requests).toBeGreaterThan(2 * Object.keys(echoing).length);
  const hex = Buffer.from(secrets.admin).toString('hex');
  const base64 = [0, 1, 2].map((at) =>
    Buffer.from('x'.repeat(at) + secrets.admin)
      .toString('base64')
      .slice(4, -4),
  );
  for (const [name, text] of ended.texts) {
    const plain = text.replaceAll(/\\+u([\da-f]{4})|%([\da-f]{2})/gi, (_whole, four, two) =>
      String.fromCharCode(Number.parseInt(four ?? two, 16)),
    );
    // The text is searched as JSON spells it; a text of several lines is searched line by line.
    const spelt = Object.values(spellings).flatMap((spelling) =>
      spelling
        .replace(/^x+/, '')
        .split('\r\n')
        .map((line) => JSON.stringify(line).slice(1, -1)),
    );
    const whole = spelt.filter(({ length }) => length > 12).map((line) => line.slice(0, -4));
    for (const form of [secrets.admin, hex, ...base64, ...whole]) {
      const held = plain.toLowerCase().includes(form.toLowerCase());
      expect(held, `${name} holds ${form}`).toBe(false);
    }
  }
});

test('answers cannot send commands to a terminal or a build service', async (context) => {
  const ended = await certify(inTurn(speaking), context);
  mustBeSound(ended);
  const printed = ended.texts.get('terminal') ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
  expect(printed).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  expect(printed).not.toMatch(/^\s*::(?!(error|warning|notice) )/m);
  expect(printed).not.toMatch(/##\w*\[/);
});
