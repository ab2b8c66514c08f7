/** Reads the reliance of clients: a folder with a file of `lockstep client --reliance` for each. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Grammar } from '../../spec/base/grammar.ts';
import { parseJson } from '../../spec/base/json.ts';
import { inWords, Refused, readText } from '../../spec/base/refused.ts';
import { version } from '../../spec/base/version.ts';
import { contract, contractName } from '../../spec/contract.ts';
import type { Reliance, RelyingClient } from '../judge/report.ts';
import schema from '../report.schema.json' with { type: 'json' };

const grammar = new Grammar<Reliance>(schema, 'Reliance');

export interface Clients {
  readonly clients: readonly RelyingClient[];
  /** Reasons why a file may be incomplete or outdated. */
  readonly warnings: readonly string[];
}

/**
 * Reads a folder; without a folder there are no clients. Throws Refused if it has no file, or a
 * file that is not a reliance.
 */
export function readReliance(folder: string | undefined): Clients {
  if (folder === undefined) return { clients: [], warnings: [] };
  const clients = namesIn(folder).map((file) => ({
    ...{ name: file.replace(/\.json$/, ''), reliance: read(join(folder, file)) },
  }));
  if (clients.length === 0) throw new Refused(`--reliance ${folder} holds no .json file: ${next}`);
  return { clients, warnings: clients.flatMap((one) => doubtsOf(one, folder)) };
}

const next = 'lockstep client --reliance DIR/NAME.json -- COMMAND writes one for each client';

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort();
  } catch (error) {
    throw new Refused(`--reliance ${folder} is not a folder of clients: ${inWords(error)}`);
  }
}

function read(file: string): Reliance {
  const value = parseJson(readText(file));
  const found = grammar.readOne(value);
  if ('value' in found) return found.value;
  const what = value === undefined ? 'it is not JSON' : found.problem;
  throw new Refused(`--reliance: ${file} does not say what a client relies on: ${what}. ${next}`);
}

function doubtsOf({ name, reliance }: RelyingClient, folder: string): string[] {
  const { lockstep, contract: made, tests, unknown = [], unnoticed = {} } = reliance;
  const file = `${join(folder, name)}.json`;
  const relied = Object.values(tests).flatMap(({ promises, assumptions }) => [
    ...Object.keys({ ...promises, ...assumptions }),
  ]);
  const named = new Set([...relied, ...unknown, ...Object.keys(unnoticed)]);
  const strange = [...named].filter((id) => !contract.statements.has(id)).sort();
  const isOther = made !== contractName || lockstep !== version;
  const again = 'run lockstep client --reliance again';
  return [
    ...(isOther
      ? [
          `${file} was made with Lockstep ${lockstep} and contract ${made}, and this is ${version} with ${contractName}: ${again}`,
        ]
      : []),
    ...(strange.length > 0
      ? [`${file} names ${strange.join(', ')}, which the contract does not have: ${again}`]
      : []),
  ];
}
