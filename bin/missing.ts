/** `certify --missing`: what a tenant file lacks, in words. */
import { type MissingKeys, missingKeys } from '../conformance/commands/missing.ts';
import type { CertifyOptions } from '../conformance/commands/options.ts';
import { exitCodes } from '../conformance/judge/report.ts';
import { print } from '../reports/terminal.ts';
import { present, ranges } from '../reports/text.ts';
import { Refused } from '../spec/base/refused.ts';
import { surroundings } from './runner.ts';

/** Prints what each missing key of a tenant file would add. */
export async function runMissing(options: CertifyOptions): Promise<number> {
  if (options.tenant === undefined) throw new Refused('--missing needs --tenant');
  const found = await missingKeys(options, surroundings());
  for (const one of found) print(`${missingText(one)}\n`);
  if (found.length === 0) print('the tenant file has all that the suite asks for\n');
  return exitCodes.ok;
}

function missingText({ keys, adds, more }: MissingKeys): string {
  const added = [...adds].map(([effect, ids]) =>
    effect === 'none' ? ranges(ids) : `${ranges(ids)} (--allow ${effect})`,
  );
  const parts = present(
    added.length > 0 && `adds ${added.join('; ')}`,
    more.length > 0 && `tries more of ${ranges(more)}`,
  );
  return `${keys.join(' and ')}: ${parts.join('; ')}`;
}
