/**
 * The campaigns at full length: `npm run nightly` takes about an hour, prints its progress, and
 * writes reports/trust.md. `npm test` runs the same campaigns in a short form.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startMock } from '../../mock/kits/index.ts';
import { contractFile } from '../../spec/contract.ts';
import { type Figure, type Trust, trustMd } from './trust-md.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'lockstep-nightly-'));
const figures = join(work, 'figures');
const SCHEMATHESIS = '4.32.5';

/**
 * Every test with a longer form; such a test calls `scaled`. Each file runs alone, so that its
 * figures do not depend on another file.
 */
const campaigns = globSync('{bin,conformance,lab,mock,reports,spec}/**/*.test.ts', { cwd: root })
  .filter((file) =>
    /LOCKSTEP_NIGHTLY|\/testing\/campaign\.ts'/.test(readFileSync(join(root, file), 'utf8')),
  )
  .sort();

/** Runs a program. True if it started and ended with 0. */
async function run(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd = root,
): Promise<boolean> {
  const options = { cwd, env: { ...process.env, ...env }, stdio: 'inherit' } as const;
  try {
    const [code] = await once(spawn(command, args, options), 'close');
    return code === 0;
  } catch {
    return false;
  }
}

async function runCampaigns(): Promise<string[]> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const failed: string[] = [];
  for (const [index, file] of campaigns.entries()) {
    process.stderr.write(`\n[${index + 1}/${campaigns.length}] ${file}\n`);
    const args = [vitest, 'run', '--reporter', 'verbose', file];
    if (!(await run(process.execPath, args, { LOCKSTEP_NIGHTLY: figures }))) failed.push(file);
  }
  const exam = ['bin/lockstep.js', 'exam', '--honest', '--tenants', '2000', '--check'];
  if (!(await run(process.execPath, exam))) failed.push('the leniency exam');
  return failed;
}

/**
 * Schemathesis with all its checks and links. One check is left out: it expects success for every
 * request that fits the schema, but the description promises to refuse some of them.
 */
async function runSchemathesis(): Promise<Pick<Trust, 'failed' | 'notRun' | 'figures'>> {
  const venv = join(work, 'venv');
  process.stderr.write('\nSchemathesis\n');
  const installed =
    (await run('python3', ['-m', 'venv', venv])) &&
    (await run(join(venv, 'bin/pip'), ['install', '--quiet', `schemathesis==${SCHEMATHESIS}`]));
  if (!installed) {
    const notRun = [`Schemathesis ${SCHEMATHESIS} cannot be installed`];
    return { failed: [], notRun, figures: [] };
  }
  // At two silences it accepts one choice only: 405 for another method, and a refusal of null.
  await using mock = await startMock({
    assumptions: { 'ERR-10': 'method-not-allowed', 'REQ-10': 'refused' },
  });
  const failed: string[] = [];
  // There is no phase for links, because no link leads from the only SCIM operation.
  const phases = 'examples,coverage,fuzzing';
  const admin = ['--exclude-path-regex', '/scim/', '--phases', `${phases},stateful`];
  const scim = ['--include-path-regex', '/scim/', '--phases', phases];
  for (const [name, part] of Object.entries({ admin, scim })) {
    const args = [
      ...['run', contractFile, '--url', mock.baseUrl, ...part, '--checks', 'all', '--seed', '7'],
      ...['--exclude-checks', 'positive_data_acceptance', '--max-examples', '200'],
      ...['-H', `Authorization: Bearer ${mock.world.credentials[name]}`],
    ];
    // Schemathesis creates a folder in its working folder.
    const well = await run(join(venv, 'bin/st'), args, {}, work);
    if (!well) failed.push(`Schemathesis as ${name}`);
  }
  const requests = mock.service.defaultWorld.journal.recorded;
  const name = 'requests, no finding but of what the description promises to refuse';
  const campaign = `Schemathesis ${SCHEMATHESIS}, all checks and links`;
  return { failed, notRun: [], figures: [{ campaign, name, value: requests }] };
}

const start = performance.now();
try {
  const broken = await runCampaigns();
  const schemathesis = await runSchemathesis();
  const failed = [...broken, ...schemathesis.failed];
  const lines = readFileSync(figures, 'utf8').trim().split('\n');
  const text = trustMd({
    figures: [...lines.map((line) => JSON.parse(line) as Figure), ...schemathesis.figures],
    ...{ failed, notRun: schemathesis.notRun },
    minutes: Math.round((performance.now() - start) / 60_000),
    machine: `${availableParallelism()} cores (${cpus()[0]?.model}), Node ${process.version}`,
  });
  process.stdout.write(`\n${text}`);
  if (failed.length === 0) writeFileSync(join(root, 'reports/trust.md'), text);
  process.exitCode = failed.length === 0 ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
