/** `preflight` compares a tenant file with its tenant; `certify --missing` lists the keys that it lacks. */
import { type MissingKeys, missingKeys } from '../conformance/commands/missing.ts';
import type { CertifyOptions } from '../conformance/commands/options.ts';
import { type Claim, checkTenant } from '../conformance/commands/preflight.ts';
import { exitCodes } from '../conformance/judge/report.ts';
import { print } from '../reports/terminal.ts';
import { present, ranges } from '../reports/text.ts';
import { count } from '../spec/base/count.ts';
import { Refused } from '../spec/base/refused.ts';
import { visible } from '../spec/base/visible.ts';
import { surroundings } from './runner.ts';

/** Up to this many statements are named one by one. */
const fewStatements = 8;

/** Prints the statements that each missing key of a tenant file would add. */
export async function runMissing(options: CertifyOptions): Promise<number> {
  if (options.tenant === undefined) throw new Refused('--missing needs --tenant');
  const found = await missingKeys(options, surroundings());
  for (const one of found) print(`${missingText(one)}\n`);
  if (found.length === 0) print('the tenant file has all that the suite asks for\n');
  return exitCodes.ok;
}

/** Prints each key of a tenant file, its state, and the statements that it unlocks; then missing keys. */
export async function runPreflight(options: CertifyOptions & { tenant: string }): Promise<number> {
  const { claims, others, missing } = await checkTenant(options, surroundings());
  for (const claim of claims) print(visible(claimText(claim), 'lines'));
  for (const other of others) print(`${'WRONG'.padEnd(11)}  ${visible(other)}\n`);
  const adding = missing.filter(({ adds }) => adds.size > 0);
  if (adding.length > 0) print('\nKeys that the file lacks, and what they would add:\n');
  for (const one of adding) print(`${missingText(one, inShort)}\n`);
  const trying = missing.length - adding.length;
  if (trying > 0)
    print(`${trying} further keys add checks to tried statements: lockstep certify --missing\n`);
  const wrong = claims.filter(({ findings }) => findings.length > 0).length + others.length;
  const claimed = count(claims.length, 'claim');
  print(
    `\n${claimed}, ${wrong === 0 ? 'and nothing contradicts them' : `${wrong} of them wrong`}\n`,
  );
  return wrong === 0 ? exitCodes.ok : exitCodes.couldNotRun;
}

function claimText({ key, findings, shown, only, more }: Claim): string {
  const [unopposed, why] = shown ? ['right', []] : ['not checked', ['no read can show it']];
  const state = findings.length === 0 ? unopposed : 'WRONG';
  const parts = present(
    only.length > 0 && `unlocks ${inShort(only)}`,
    more.length > 0 && `tries more of ${count(more.length, 'statement')}`,
  );
  const told = findings.length === 0 ? why : findings;
  const reasons = told.map((text) => `${' '.repeat(13)}${text}\n`).join('');
  return `${state.padEnd(11)}  ${key}: ${parts.join('; ')}\n${reasons}`;
}

/** A few statements by name, more of them by area: `131 statements (SVC 11, AUTH 2, ...)`. */
function inShort(ids: readonly string[]): string {
  if (ids.length <= fewStatements) return ranges(ids);
  const areas = Map.groupBy(ids, (id) => id.split('-')[0]);
  const told = [...areas].map(([area, own]) => `${area} ${own.length}`);
  return `${count(ids.length, 'statement')} (${told.join(', ')})`;
}

function missingText({ keys, adds, more }: MissingKeys, told = ranges): string {
  const added = [...adds].map(([effect, ids]) =>
    effect === 'none' ? told(ids) : `${told(ids)} (--allow ${effect})`,
  );
  const parts = present(
    added.length > 0 && `adds ${added.join('; ')}`,
    more.length > 0 && `tries more of ${told(more)}`,
  );
  return `${keys.join(' and ')}: ${parts.join('; ')}`;
}
