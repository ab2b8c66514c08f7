/**
 * Fills in the fields of package.json that only the publisher knows:
 * `LOCKSTEP_REPOSITORY=https://github.com/OWNER/lockstep node bin/publisher.ts`. With `--check` it names
 * missing fields, and ends a publish but not a dry run. With `--tag v0.1.0` it compares the tag with each
 * version.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { version } from '../spec/base/version.ts';

const file = new URL('../package.json', import.meta.url);
const { values: options } = parseArgs({
  options: { check: { type: 'boolean', default: false }, tag: { type: 'string' } },
});
const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
const repository = process.env.LOCKSTEP_REPOSITORY ?? '';

/** The fields that npm and provenance ask for, all made of one address. */
const fieldsOf = (url: string) => ({
  repository: { type: 'git', url: `git+${url}.git` },
  homepage: `${url}#readme`,
  bugs: { url: `${url}/issues` },
});

function problems(): string[] {
  if (options.tag !== undefined) return tagProblems(options.tag);
  if (options.check) {
    const missing = Object.keys(fieldsOf('')).filter((name) => manifest[name] === undefined);
    return missing.map((name) => `package.json has no ${name}`);
  }
  const isAddress = /^https:\/\/[\w.-]+\/[\w.-]+\/[\w.-]+$/.test(repository);
  return isAddress ? [] : ['LOCKSTEP_REPOSITORY is not https://HOST/OWNER/NAME'];
}

function tagProblems(tag: string): string[] {
  const changes = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8');
  return [
    ...(tag === `v${version}` ? [] : [`the tag ${tag} is not v${version} of spec/base/version.ts`]),
    ...(manifest.version === version ? [] : [`package.json has version ${manifest.version}`]),
    ...(changes.includes(`\n## ${version}`) ? [] : [`CHANGELOG.md has no heading "## ${version}"`]),
  ];
}

const found = problems();
for (const problem of found) process.stderr.write(`lockstep: ${problem}\n`);
if (found.length > 0 && options.check) {
  process.stderr.write(
    'lockstep: run LOCKSTEP_REPOSITORY=https://github.com/OWNER/lockstep node bin/publisher.ts before you publish\n',
  );
}
const isDryRun = process.env.npm_config_dry_run === 'true';
if (found.length > 0) process.exitCode = options.check && isDryRun ? 0 : 1;
else if (!options.check && options.tag === undefined) {
  const filled = { ...manifest, ...fieldsOf(repository) };
  writeFileSync(file, `${JSON.stringify(filled, null, 2)}\n`);
}
