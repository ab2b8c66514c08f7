/**
 * The suite that comes with Lockstep, and the rule that it judges every statement and operation.
 */

import { equal } from '../../spec/base/json.ts';
import { Incomplete } from '../../spec/base/refused.ts';
import { contract } from '../../spec/contract.ts';
import { authorisationFamily, type Cell, type Family, isLetIn } from './authorisation.ts';
import { type Loaded, readCompiled, writeCompiled } from './compiled-suite.ts';
import {
  loadScenarios,
  readScenarioFiles,
  type ScenarioFile,
  suiteFolder,
  suiteOf,
} from './load.ts';
import { standingChecks } from './load-check.ts';
import { everyStep, type Step, type Suite } from './scenario.ts';

let loaded: { readonly files: readonly ScenarioFile[]; readonly suite: Suite } | undefined;
let family: Family | undefined;

/** The scenarios of our authorisation matrix, read once. Throws LoadError. */
export function ownFamily(): Family {
  family ??= readCompiled()?.family ?? authorisationFamily();
  return family;
}

/** The cells in which an actor has access. Only these show whether its credential works. */
export const allowedCells = (): readonly Cell[] => ownFamily().cells.filter(isLetIn);

/**
 * Loads the suite, from the compiled file if none of its files has changed. Throws LoadError;
 * throws Incomplete if a statement or an operation is not judged.
 */
export function loadOwnSuite(): Suite {
  const files = readScenarioFiles();
  if (loaded === undefined || !equal(loaded.files, files))
    loaded = { files, suite: wholeSuite(readCompiled() ?? loadTexts(files), files) };
  return loaded.suite;
}

/** Writes the compiled file, unless it is up to date; see `compiled-suite.ts`. */
export function compileOwnSuite(folder: string = suiteFolder): void {
  if (readCompiled(folder) === undefined) writeCompiled(loadTexts(readScenarioFiles()), folder);
}

function loadTexts(files: readonly ScenarioFile[]): Loaded {
  const own = authorisationFamily();
  const scenarios = loadScenarios(files);
  const suite = { scenarios: [...scenarios, ...own.scenarios] };
  const missing = [...withoutCells(own.cells), ...withoutCheck(suite)];
  if (missing.length > 0) throw new Incomplete(missing);
  return { scenarios, family: own };
}

function wholeSuite(own: Loaded, files: readonly ScenarioFile[]): Suite {
  family = own.family;
  const { cells, callers, digest } = family;
  const suite = suiteOf(own.scenarios, files, family.scenarios, digest);
  const clauses = cells.flatMap((cell) => cell.clauses);
  const aboutCallers = new Set(clauses.flatMap(({ statements }) => statements));
  return { ...suite, whole: { scenarios: suite.scenarios, callers, aboutCallers } };
}

/** Operations that the authorisation matrix does not have. */
function withoutCells(cells: readonly Cell[]): string[] {
  const known = new Set<string>(cells.map(({ operation }) => operation));
  return [...contract.operations.keys()]
    .filter((id) => !known.has(id))
    .map((id) => `conformance/authorisation.yaml: ${id} has no cells; write what each actor gets`);
}

/** Statements that a call can show, and that no scenario judges or observes. */
function withoutCheck(suite: Pick<Suite, 'scenarios'>): string[] {
  return list(suite)
    .filter(({ unobservable, checks }) => unobservable === undefined && checks.length === 0)
    .map(({ id }) => {
      const area = areaOf(id);
      const folder = area === undefined ? '' : `${area}/`;
      return `conformance/scenarios/${folder}: ${id} has no check; write one in a scenario`;
    });
}

/** The area of the operations that promise a statement; undefined if they are of several areas. */
export function areaOf(statement: string): string | undefined {
  const promising = [...contract.operations.values()].filter(({ statements }) =>
    statements.includes(statement),
  );
  const [area, ...others] = new Set(promising.map((operation) => operation.area));
  return others.length === 0 ? area : undefined;
}

/** Every statement with its checks, for `certify --list`; only the named ones, if any are named. */
export function list(suite: Pick<Suite, 'scenarios'>, only: readonly string[] = []) {
  const standing = { id: 'all', checks: standingChecks(), observes: [] };
  const found = [
    ...placesIn('Every answer', [standing]),
    ...suite.scenarios.flatMap(({ title, steps, undo }) =>
      placesIn(title, everyStep({ steps, undo })),
    ),
  ];
  const places = Map.groupBy(found, ({ statement }) => statement);
  const wanted = [...contract.statements.values()].filter(
    ({ id }) => only.length === 0 || only.includes(id),
  );
  return wanted.map(({ id, level, text, unobservable }) => ({
    id,
    level,
    text,
    ...(unobservable === undefined ? {} : { unobservable }),
    checks: (places.get(id) ?? []).map(({ statement: _statement, ...check }) => check),
  }));
}

function placesIn(scenario: string, steps: readonly Pick<Step, 'id' | 'checks' | 'observes'>[]) {
  return steps.flatMap(({ id: step, checks, observes }) =>
    [...checks, ...observes].map(({ statement, location: { file, line, column } }) => {
      return { statement, scenario, step, place: `${file}:${line}:${column}` };
    }),
  );
}
