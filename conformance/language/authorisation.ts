/** The authorisation matrix as a family of scenarios: one for each cell of `authorisation.yaml`. */

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Grammar } from '../../spec/base/grammar.ts';
import { isObject } from '../../spec/base/json.ts';
import { YamlSource } from '../../spec/base/yaml-source.ts';
import { contract, type OperationId } from '../../spec/contract.ts';
import schema from '../authorisation.schema.json' with { type: 'json' };
import type { cells as CellsText, MatrixText } from './authorisation.generated.ts';
import * as grammars from './grammars.generated.js';
import { scenarioFrom } from './load.ts';
import type { Caller, Scenario } from './scenario.ts';
import { refuseUnknown } from './vocabulary.ts';

const file = fileURLToPath(new URL('../authorisation.yaml', import.meta.url));

/** The expectation of a cell; `statuses` has the statuses for each. */
export type Expected = 'allowed' | 'refused' | 'closed' | 'unserved' | 'silent' | '401' | '403';

export interface Cell {
  readonly operation: OperationId;
  readonly actor: string;
  /** Title of its scenario. */
  readonly title: string;
  /** Each clause names the statements that it rests on. */
  readonly clauses: readonly {
    readonly expected: Expected;
    readonly statements: readonly string[];
  }[];
}

type RowText = MatrixText['operations'][string];

const grammar = new Grammar<MatrixText>(schema, undefined, grammars.authorisation);

export type Family = ReturnType<typeof authorisationFamily>;

export const isLetIn = ({ clauses }: Pick<Cell, 'clauses'>): boolean =>
  clauses.some(({ expected }) => expected === 'allowed');

/** Reads the matrix and makes its scenarios. Throws LoadError. */
export function authorisationFamily(text: string = readFileSync(file, 'utf8')) {
  const source = new YamlSource('conformance/authorisation.yaml', text);
  const matrix = grammar.check(source, source.value);
  const actors = Object.keys(matrix.actors);
  const cells: Cell[] = [];
  const scenarios: Scenario[] = [];
  const callers = new Map<OperationId, readonly Caller[]>();
  for (const [id, row] of Object.entries(matrix.operations)) {
    const operation = id as OperationId;
    for (const part of [matrix.everywhere, row.cells]) {
      for (const [actor, text] of Object.entries(part)) {
        refuseUnknown(source, 'there is no actor', actor, actors, part, actor);
        if (part === matrix.everywhere && actor in row.cells) continue;
        const clauses = clausesOf(source, part, actor, text);
        const title = `Matrix: ${operation} as ${actor}`;
        const cell = { operation, actor, title, clauses };
        const made = scenarioOf(matrix, row, cell);
        source.place(made, part, actor);
        cells.push(cell);
        scenarios.push(scenarioFrom(source, made));
      }
    }
    const ofRow = cells.filter((cell) => cell.operation === operation);
    callers.set(
      operation,
      ofRow.flatMap((cell) => callerIn(matrix, row, cell) ?? []),
    );
  }
  return { scenarios, cells, callers, digest: hash('sha256', text) };
}

/**
 * The caller of a cell, if it may make the call with every input. A caller that must be able to edit the
 * named object counts too, and has `edits`.
 */
function callerIn({ actors }: MatrixText, row: RowText, cell: Cell): Caller | undefined {
  const { actor, clauses, operation } = cell;
  const { as, elsewhere } = actors[actor] ?? { as: 'none' };
  const edit = contract.operations.get(operation)?.requires.statements?.edit;
  const edits = edit !== undefined && clauses.some(({ statements }) => statements.includes(edit));
  if (elsewhere === true || !(isLetIn(cell) || edits)) return undefined;
  const sent = (row.as?.[actor] ?? as) as Caller['as'];
  const header = isObject(sent) ? String(sent.header) : `{credentials.${String(sent)}}`;
  const credential = /\{credentials\.(\w+)\}/.exec(header)?.[1] ?? actor;
  const require = row.require?.[actor] as Caller['require'];
  const statements = clauses.flatMap((clause) =>
    clause.expected === 'allowed' ? clause.statements : [],
  );
  return { name: actor, as: sent, credential, statements, require, ...(edits && { edits }) };
}

/** Reads a cell such as `closed META-8; silent META-16`. */
function clausesOf(
  source: YamlSource,
  parent: CellsText,
  actor: string,
  text: string,
): Cell['clauses'] {
  return text.split('; ').map((clause) => {
    const [expected, ...statements] = clause.split(' ');
    const silent = expected === 'silent';
    for (const id of statements) {
      const level = contract.statements.get(id)?.level;
      if (level === undefined) source.fail(`there is no statement ${id}`, parent, actor);
      if ((level === 'silent') !== silent)
        source.fail(`${id} is ${level}: the cell says ${expected}`, parent, actor);
    }
    return { expected: expected as Expected, statements };
  });
}

const statuses: Readonly<Record<Exclude<Expected, 'silent'>, unknown>> = {
  allowed: 'allowed',
  refused: 'refused',
  closed: { not: '2xx' },
  unserved: { not: ['2xx', 401] },
  '401': 401,
  '403': 403,
};

function scenarioOf(matrix: MatrixText, row: RowText, cell: Cell): object {
  const { operation, actor, title, clauses } = cell;
  const { as, elsewhere, over, mint, extra } = matrix.actors[actor] ?? { as: 'none' };
  const place = elsewhere === true ? '{otherDeployment}' : '{deployment}';
  const usesPlace = JSON.stringify([row.before, row.step]).includes('{place.');
  const condition = row.require?.[actor];
  const checks: Record<string, unknown> = {};
  const observe: Record<string, unknown> = {};
  for (const { expected, statements } of clauses) {
    for (const id of statements) {
      if (expected !== 'silent') checks[id] = { status: statuses[expected] };
      // If two silences decide together, the answer does not show the choice at either.
      else
        observe[id] = statements.length === 1 ? { cases: matrix.silences[id] ?? {} } : '{status}';
    }
  }
  return {
    scenario: title,
    ...(extra && { extra }),
    needs: row.needs ?? [],
    let: { ...(usesPlace ? { place } : {}), ...row.let, ...row.letFor?.[actor] },
    steps: [
      ...(mint === true ? [matrix.mint] : []),
      ...(row.before ?? []),
      {
        id: 'cell',
        as: row.as?.[actor] ?? as,
        call: operation,
        ...row.step,
        ...(over === undefined ? {} : { over }),
        require: condition === undefined ? [] : [condition],
        checks,
        observe,
      },
    ],
  };
}
