/** The client of this folder: `lockstep client` finds the same mistakes in each language that is here. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { scaled } from '../../../../spec/testing/campaign.ts';
import { program, run } from '../../../testing/program.ts';
import { hasTool } from '../../../testing/tools.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'lockstep-clients-'));
afterAll(() => rmSync(work, { recursive: true, maxRetries: 5 }));

interface Mistake {
  readonly text: string;
  readonly failures?: readonly string[];
  readonly missed?: readonly string[];
}
const mistakes: Readonly<Record<string, Mistake>> = parse(
  readFileSync(join(here, 'findings.yaml'), 'utf8'),
);
const every = Object.keys(mistakes);

/** The findings about a client with these mistakes; of each, so many failures at the most. */
const findings = (names: readonly string[], most?: number) => ({
  failures: names.flatMap((name) => mistakes[name]?.failures?.slice(0, most) ?? []).sort(),
  missed: names.flatMap((name) => mistakes[name]?.missed ?? []).sort(),
});

interface Language {
  readonly folder: string;
  readonly probe: readonly [string, ...string[]];
  readonly version: RegExp;
  readonly compile?: readonly [string, ...string[]];
  readonly command: readonly string[];
}

const typescript: Language = {
  folder: 'typescript',
  probe: [process.execPath, '--version'],
  version: /^v2[2-9]/,
  command: [process.execPath, 'client-test.ts'],
};
const languages: readonly Language[] = [
  typescript,
  {
    folder: 'python',
    probe: ['python3', '--version'],
    version: /Python 3\./,
    command: ['python3', '-B', '-m', 'unittest', 'test_client.py'],
  },
  {
    folder: 'go',
    probe: ['go', 'version'],
    version: /go1\.(2[1-9]|[3-9]\d)/,
    compile: ['go', 'test', '-c', '-o', join(work, 'go-tests')],
    command: [join(work, 'go-tests')],
  },
  {
    folder: 'java',
    probe: ['javac', '-version'],
    version: /javac (1[7-9]|[2-9]\d)/,
    compile: ['javac', '-d', join(work, 'java'), 'Json.java', 'Client.java', 'ClientTest.java'],
    // A short run needs no more of the compiler.
    command: ['java', '-XX:TieredStopAtLevel=1', '-cp', join(work, 'java'), 'ClientTest'],
  },
];

const env = {
  ...process.env,
  NO_PROXY: '127.0.0.1',
  no_proxy: '127.0.0.1',
  // Nothing is fetched: neither a module nor another Go.
  GOFLAGS: '-mod=mod',
  GOPROXY: 'off',
  GOTOOLCHAIN: 'local',
};

const isNight = scaled(0, 1) === 1;

/** By day a mistake shows twice in each language, and in TypeScript as often as it can. */
const mostOf = (language: Language): number | undefined =>
  isNight || language === typescript ? undefined : 2;

/** By day the runs in which a mistake shows, as far as the client meets them; at night all. */
function losses(faults: readonly string[], most?: number): readonly string[] {
  const shown = findings(every, most).failures.flatMap((id) => ['--run', id]);
  const met = shown.filter(isMetWith(faults.includes('header') ? 'header' : ''));
  return ['--sweep', '--losses', ...(isNight ? [] : met)];
}
const mutants = ['--mutants', '--run', 'recipients:*'];

// Hundreds of runs: minutes on a busy machine.
const timeout = 1_500_000;

describe.for([...languages])('the client in $folder', { timeout }, (language) => {
  const { folder, probe, version, compile } = language;
  const most = mostOf(language);
  const found = hasTool(probe, version, `THE CLIENT IN mock/kits/examples/client/${folder}`);
  const prepare = (): void => {
    if (compile === undefined) return;
    const [tool, ...args] = compile;
    execFileSync(tool, args, { cwd: join(here, folder), env });
  };

  test.runIf(found)('without a mistake it has no finding', async () => {
    prepare();
    const { failures } = await client(language, [], losses([], most));
    const { missed } = await client(language, [], mutants);
    expect({ failures, missed }).toEqual(findings([]));
  });

  test.runIf(found)('with all mistakes it has the findings of each, and no other', async () => {
    prepare();
    const { failures } = await client(language, every, losses(every, most));
    const { missed } = await client(language, every, mutants);
    expect({ failures, missed }).toEqual(findings(every, most));
  });
});

test.runIf(isNight).for(every)('%s alone has only its own findings', async (name) => {
  const runs = findings(every);
  const asked = [...runs.failures, ...runs.missed].flatMap((id) => ['--run', id]);
  expect(await client(typescript, [name], asked.filter(isMetWith(name)))).toEqual(findings([name]));
});

/** A client that sends the header never meets the silence about requests without it. */
function isMetWith(name: string) {
  const unmet = name === 'header' ? [] : (mistakes.header?.failures ?? []);
  return (word: string, index: number, words: readonly string[]): boolean =>
    ![word, words[index + 1] ?? ''].some((one) => unmet.includes(one));
}

/** Returns the findings of the command, and logs its cost. */
async function client(language: Language, faults: readonly string[], options: readonly string[]) {
  const out = join(work, `${language.folder}-${faults.join('-') || 'none'}.json`);
  // A stall takes as long as the client waits, three seconds; a busy machine takes several times as long.
  const limits = ['--timeout', '15s', '--budget', '30m', '--out', out];
  const { stdout, stderr, code } = await run(
    process.execPath,
    [program, 'client', ...options, ...limits, '--', ...language.command],
    { cwd: join(here, language.folder), env: { ...env, CLIENT_FAULT: faults.join(',') } },
  ).ended;
  expect([0, 1], stdout + stderr).toContain(code);
  const report = JSON.parse(readFileSync(out, 'utf8')) as Report;
  const { results, runs, durationMs } = report;
  const seconds = durationMs / 1000;
  process.stderr.write(
    `${language.folder}, ${faults.length} mistakes: ${runs} runs in ${Math.round(seconds)} s, ${(seconds / runs).toFixed(2)} s each\n`,
  );
  const of = (isFound: (result: Result) => boolean) =>
    results
      .filter(isFound)
      .map(({ id }) => id)
      .sort();
  return {
    failures: of(({ kind, outcome }) => kind !== 'mutant' && outcome !== 'held'),
    missed: of(({ kind, outcome }) => kind === 'mutant' && outcome !== 'broken'),
  };
}

interface Result {
  readonly id: string;
  readonly kind: 'sweep' | 'loss' | 'mutant';
  readonly outcome: string;
}
interface Report {
  readonly results: readonly Result[];
  readonly runs: number;
  readonly durationMs: number;
}
