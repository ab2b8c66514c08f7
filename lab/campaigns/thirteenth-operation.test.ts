/**
 * Follows the steps in CONTRIBUTING: a copy of the repository gets a thirteenth operation,
 * `getFolder`, by four edited files and a scenario. Everything else must follow from them.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { scaled } from '../../spec/testing/campaign.ts';
import { root } from '../house/house.ts';

interface Step {
  readonly name: string;
  /** The file that the step edits. Without `before`, the step creates it. */
  readonly file: string;
  /** The file of `get-folder/` with the text to write. */
  readonly from: string;
  /** The text is inserted before this line. */
  readonly before?: string;
  /** The error message if this step is left out. */
  readonly missing: string;
}

const steps: readonly Step[] = [
  {
    name: 'the operation in the contract',
    file: 'spec/openapi.yaml',
    from: 'openapi.yaml',
    before: '    put:\n      operationId: updateFolder',
    missing: 'spec/statements.yaml:',
  },
  {
    name: 'a statement for each promise',
    file: 'spec/statements.yaml',
    from: 'statements.yaml',
    before: '  # ── notification recipients',
    missing:
      'there is no statement FOLDER-102 (did you mean FOLDER-10?); write it in spec/statements.yaml',
  },
  {
    name: 'the handler',
    file: 'mock/areas/folders/handler.ts',
    from: 'handler.txt',
    before: 'function folderRecord',
    missing: 'mock/areas/folders/handler.ts: getFolder has no handler; export one',
  },
  {
    name: 'its callers',
    file: 'conformance/authorisation.yaml',
    from: 'authorisation.yaml',
    before: '  addNotificationRecipients:\n',
    missing: 'conformance/authorisation.yaml: getFolder has no cells; write what each actor gets',
  },
  {
    name: 'a scenario',
    file: 'conformance/scenarios/folders/read.yaml',
    from: 'read.yaml',
    missing: 'conformance/scenarios/folders/: FOLDER-101 has no check; write one in a scenario',
  },
];

/** Makes a copy of the sources without tests, and takes the steps there. */
function copyWith(taken: readonly Step[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'thirteenth-'));
  for (const part of ['bin', 'spec', 'mock', 'conformance', 'fixtures', 'reports', 'lab']) {
    cpSync(join(root, part), join(copy, part), {
      recursive: true,
      filter: (path) => !/\.test\.ts$|\.test-d\.ts$|reports\/out(\/|$)|\/examples\//.test(path),
    });
  }
  for (const file of ['package.json', 'tsconfig.json']) cpSync(join(root, file), join(copy, file));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const { file, from, before } of taken) {
    const text = readFileSync(join(root, 'lab/campaigns/get-folder', from), 'utf8');
    const path = join(copy, file);
    if (before === undefined) {
      writeFileSync(path, text);
      continue;
    }
    const old = readFileSync(path, 'utf8');
    expect(old.split(before), `${file} has one place for it`).toHaveLength(2);
    writeFileSync(
      path,
      old.replace(before, () => text + before),
    );
  }
  return copy;
}

/** Runs Node in a copy, and returns its output and exit code. */
function run(copy: string, ...args: readonly string[]): Promise<{ code: number; out: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: copy, stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        out += text;
      });
    }
    child.on('close', (code) => resolve({ code: code ?? -1, out }));
  });
}

const lockstep = 'bin/lockstep.js';

describe('a thirteenth operation', () => {
  let copy = '';
  beforeAll(async () => {
    copy = copyWith(steps);
    // The new GET shows a folder, so the runner can use it to put back an update.
    const contract = join(copy, 'spec/openapi.yaml');
    const text = readFileSync(contract, 'utf8');
    const read = 'read: { call: updateFolder, body: {} }';
    expect(text).toContain(read);
    writeFileSync(contract, text.replace(read, 'read: { call: getFolder }'));
    expect(await run(copy, 'spec/generate.ts')).toMatchObject({ code: 0 });
  });

  test('needs four edited files and a scenario', () => {
    expect(steps.filter(({ before }) => before !== undefined)).toHaveLength(4);
    for (const { file } of steps) {
      expect(file).toMatch(
        /^spec\/|\/areas\/folders\/|\/scenarios\/folders\/|authorisation\.yaml$/,
      );
    }
  });

  test('compiles', async () => {
    const tsc = await run(copy, 'node_modules/typescript/bin/tsc', '-p', '.');
    expect(tsc).toEqual({ code: 0, out: '' });
  });

  test('is in the table of operations', () => {
    expect(readFileSync(join(copy, 'mock/README.md'), 'utf8')).toContain(
      '| `getFolder` | `GET /api/v1/deployments/{deploymentId}/folders/{folderId}` |',
    );
  });

  test('is served and certified', async () => {
    // At night all other promises are included.
    const only = scaled(0, 1) === 1 ? [] : ['--only', 'FOLDER-101,FOLDER-102,FOLDER-2'];
    const args = ['self-certify', '--out', 'certified', ...only];
    const { code, out } = await run(copy, lockstep, ...args);
    expect(code, out).toBe(0);
    const report = JSON.parse(readFileSync(join(copy, 'certified/report.json'), 'utf8')) as {
      statements: { id: string; verdict: string }[];
    };
    const verdicts = new Map(report.statements.map(({ id, verdict }) => [id, verdict]));
    expect(verdicts.get('FOLDER-101')).toBe('verified');
    expect(verdicts.get('FOLDER-102')).toBe('verified');
  });

  test('has deviations for each of its promises, and the suite notices every one', async () => {
    const script = `
      const { catalogue } = await import('${join(copy, 'lab/areas/catalogue.ts')}');
      const own = catalogue.filter(
        ({ operations, foundBy }) => operations.includes('getFolder') && foundBy === undefined,
      );
      console.log(JSON.stringify(own.map(({ id, breaks }) => ({ id, breaks }))));
    `;
    const listed = await run(copy, '--input-type=module', '--eval', script);
    const own = JSON.parse(listed.out) as { id: string; breaks: string[] }[];
    expect(own.length).toBeGreaterThan(30);
    for (const promise of ['FOLDER-101', 'FOLDER-102']) {
      expect(
        own.some(({ breaks }) => breaks.includes(promise)),
        promise,
      ).toBe(true);
    }
    const ids = own.map(({ id }) => id).join(',');
    const { code, out } = await run(copy, lockstep, 'exam', '--only', ids);
    expect(code, out).toBe(0);
    expect(out).toContain(`${own.length} killed`);
  });

  test('is explored, and used to put back updates', async () => {
    const { out } = await run(copy, 'lab/campaigns/get-folder/explore-and-put-back.js');
    const seen = JSON.parse(out) as Record<string, unknown>;
    expect(seen).toMatchObject({ explored: 0, certified: 0, before: 'Finance', after: 'Finance' });
    expect(seen.walked, 'no walk called it').toHaveProperty('200');
    expect(seen.updates, 'FOLDER-2 was not tried').toBeGreaterThan(1);
    expect(seen.reads, 'it was not read before the update and after').toBeGreaterThan(1);
  });
});

describe('an omitted step is reported, with the file to edit', () => {
  test.each(steps.slice(1))('$name', async (step) => {
    const copy = copyWith(steps.filter((other) => other !== step));
    const generated = await run(copy, 'spec/generate.ts');
    const { code, out } =
      generated.code === 0 ? await run(copy, lockstep, 'self-certify') : generated;
    expect(code).not.toBe(0);
    expect(out).toContain(step.missing);
    expect(out).not.toContain('    at ');
  });
});
