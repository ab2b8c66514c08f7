/** Reads the report of an earlier run, also of another version of Lockstep. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Grammar } from '../../spec/base/grammar.ts';
import { parseJson } from '../../spec/base/json.ts';
import { Refused, readText } from '../../spec/base/refused.ts';
import type { Report } from '../judge/report.ts';
import schema from '../report.schema.json' with { type: 'json' };

/** Fields that a later version adds to a report are ignored. */
const open = JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
  key === 'additionalProperties' && value === false ? undefined : value,
) as object;
const grammar = new Grammar<Report>(open);

/** The report in a file, or in a folder that has a `report.json`. Throws a Refused. */
export function readReport(path: string): Report {
  const found = statSync(path, { throwIfNoEntry: false });
  const file = found?.isDirectory() === true ? join(path, 'report.json') : path;
  const value = parseJson(readText(file));
  const read = grammar.readOne(value);
  if ('value' in read) return read.value;
  const what = value === undefined ? 'it is not JSON' : read.problem;
  throw new Refused(
    `${file} is not a report of lockstep certify: ${what}. Name a report.json, or its folder`,
  );
}
