/** The authorisation matrix as a family of scenarios: one for each cell of `authorisation.yaml`. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isObject, type JsonObject } from '../../spec/base/json.ts';
import { YamlSource } from '../../spec/base/yaml-source.ts';
import { contract, type OperationId } from '../../spec/contract.ts';
import { scenarioFrom } from './load.ts';
import type { Scenario } from './scenario.ts';

export const authorisationFile: string = fileURLToPath(
  new URL('../authorisation.yaml', import.meta.url),
);

export interface Cell {
  readonly operation: OperationId;
  readonly actor: string;
  readonly expected: 'allowed' | 'refused' | 'silent' | 401 | 403;
  readonly statement: string;
}

export interface Family {
  readonly scenarios: readonly Scenario[];
  readonly cells: readonly Cell[];
  readonly digest: string;
}

/** Reads the matrix and makes its scenarios. Throws LoadError. */
export function authorisationFamily(
  text: string = readFileSync(authorisationFile, 'utf8'),
): Family {
  const source = new YamlSource('conformance/authorisation.yaml', text);
  const file = mapping(source, source.value, 'the matrix');
  source.known(file, ['actors', 'operations'], 'the matrix');
  const actors = mapping(source, file.actors, 'actors');
  const operations = mapping(source, file.operations, 'operations');
  const cells: Cell[] = [];
  const scenarios: Scenario[] = [];
  for (const [id, value] of Object.entries(operations)) {
    const operation = contract.operations.get(id as OperationId);
    if (operation === undefined) source.fail(`there is no operation ${id}`, operations, id);
    const row = mapping(source, value, id);
    source.known(row, ['needs', 'let', 'letFor', 'before', 'step', 'require', 'cells'], id);
    const expectations = mapping(source, row.cells, 'cells');
    source.known(expectations, Object.keys(actors), 'cells');
    for (const [actor, text] of Object.entries(expectations)) {
      const cell = cellOf(source, expectations, id as OperationId, actor, String(text));
      cells.push(cell);
      const made = scenarioOf(
        cell,
        row,
        mapping(source, actors[actor], actor),
        operation?.effect ?? 'none',
      );
      source.place(made, expectations, actor);
      scenarios.push(scenarioFrom(source, made));
    }
  }
  return { scenarios, cells, digest: createHash('sha256').update(text).digest('hex') };
}

function mapping(source: YamlSource, value: unknown, what: string): JsonObject {
  return isObject(value) ? value : source.fail(`${what} is a mapping`, source.value);
}

function cellOf(
  source: YamlSource,
  parent: JsonObject,
  operation: OperationId,
  actor: string,
  text: string,
): Cell {
  const match = /^(allowed|refused|silent|401|403) ([A-Z]+-\d+)$/.exec(text);
  const statement = match?.[2] ?? '';
  const level = contract.statements.get(statement)?.level;
  if (match === null || level === undefined || (level === 'silent') !== (match[1] === 'silent')) {
    return source.fail(
      `a cell is allowed, refused, silent, 401 or 403 and the statement that says so, not ${text}`,
      parent,
      actor,
    );
  }
  const word = match[1] ?? '';
  const named = word === 'allowed' || word === 'refused' || word === 'silent';
  const expected = named ? word : (Number(word) as 401 | 403);
  return { operation, actor, expected, statement };
}

function scenarioOf(cell: Cell, row: JsonObject, actor: JsonObject, effect: string): JsonObject {
  const { operation, expected, statement } = cell;
  const perActor = isObject(row.letFor) ? row.letFor[cell.actor] : undefined;
  const condition = isObject(row.require) ? row.require[cell.actor] : undefined;
  const place = actor.elsewhere === true ? '{otherDeployment}' : '{deployment}';
  const usesPlace = JSON.stringify([row.before, row.step]).includes('{place.');
  const judged =
    expected === 'silent'
      ? { observe: { [statement]: '{status}' } }
      : {
          checks: {
            [statement]: { status: expected === 'allowed' ? { not: [401, 403] } : expected },
          },
        };
  return {
    scenario: `Matrix: ${operation} as ${cell.actor}`,
    effect,
    ...(row.needs === undefined ? {} : { needs: row.needs }),
    let: {
      ...(usesPlace ? { place } : {}),
      ...(isObject(row.let) ? row.let : {}),
      ...(isObject(perActor) ? perActor : {}),
    },
    steps: [
      ...(Array.isArray(row.before) ? row.before : []),
      {
        id: 'cell',
        as: actor.as,
        call: operation,
        ...(isObject(row.step) ? row.step : {}),
        ...(condition === undefined ? {} : { require: [condition] }),
        ...judged,
      },
    ],
  };
}
