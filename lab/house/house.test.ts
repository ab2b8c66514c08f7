/** The rules of the house: imports, sizes, and the files that may name an operation. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { contract } from '../../spec/contract.ts';
import {
  committedLines,
  draw,
  floorsOf,
  imports,
  linesByRoom,
  linesOf,
  root,
  sources,
  withDrawings,
} from './house.ts';

const result = await imports();

test('a room imports only rooms below it, and nothing imports itself in a circle', () => {
  const broken = result.summary.violations.map(
    ({ from, to, rule }) => `${rule.name}: ${from} imports ${to}`,
  );
  expect(broken).toEqual([]);
});

test.for(['product', 'lab'] as const)('the %s has at most eight floors', (house) => {
  expect(floorsOf(result, house)).toBeLessThanOrEqual(8);
});

test('the ground floor is code that decides nothing', () => {
  expect(draw(result, 'product').floors.get('spec/base')).toBe(1);
});

test('CONTRIBUTING shows the house as it is', () => {
  const text = readFileSync(`${root}/CONTRIBUTING.md`, 'utf8');
  expect(text, 'run npm run house -- --write').toBe(withDrawings(text, result));
});

test('a folder has at most twenty source files', () => {
  const files = new Map<string, number>();
  for (const file of sources) files.set(dirname(file), (files.get(dirname(file)) ?? 0) + 1);
  expect([...files].filter(([, count]) => count > 20)).toEqual([]);
});

test('no source file has more than 400 lines', () => {
  const long = sources.map((file) => [file, linesOf(file)] as const);
  expect(long.filter(([, lines]) => lines > 400)).toEqual([]);
});

test('no room has grown by more than a tenth since its lines were written down', () => {
  const committed = committedLines();
  const grown = Object.entries(linesByRoom()).filter(
    ([room, lines]) => lines > 1.1 * (committed[room] ?? 0) + 10,
  );
  expect(grown, 'say in the commit why, and run npm run house -- --write').toEqual([]);
});

test('every room has a README of about ten lines', () => {
  const rooms = globSync('{mock,conformance,reports,lab}/!(testing)/', { cwd: root }).filter(
    (room) => sources.some((file) => file.startsWith(`${room.replace(/\/$/, '')}/`)),
  );
  expect(rooms.length).toBeGreaterThan(10);
  for (const room of rooms) {
    const readme = `${root}/${room}/README.md`;
    expect(existsSync(readme), `${room} has no README.md`).toBe(true);
    const lines = readFileSync(readme, 'utf8').split('\n').length;
    expect(lines, `${room}/README.md is too long`).toBeLessThanOrEqual(25);
  }
});

/** Files that may name operations: the areas, the files that compose them, and examples. */
const mayNameOperations = /^(bin|spec|fixtures|lab)\/|\/(areas|testing)\//;

test('an engine names no operation, no path of the service and no statement', () => {
  const engines = sources.filter((file) => !mayNameOperations.test(file));
  expect(engines.length).toBeGreaterThan(150);
  expect(engines.flatMap(namedIn)).toEqual([]);
});

test('the test above finds what an engine must not name', () => {
  expect(named('if (operation.id === "updateFolder") return;')).toEqual(['updateFolder']);
  expect(named('const path = `/api/v1/deployments`;')).toEqual(['/api/v1/deployments']);
  expect(named('basis.assume("REQ-1"); table["STAGE-9"]')).toEqual(['REQ-1', 'STAGE-9']);
  expect(named('const table = { updateFolder: 1 };')).toEqual(['updateFolder']);
  expect(named('// REQ-1: updateFolder at /api/v1/deployments')).toEqual([]);
});

function namedIn(file: string): string[] {
  return named(readFileSync(`${root}/${file}`, 'utf8')).map((name) => `${file}: ${name}`);
}

/** Operation ids, paths of the service and statement ids in code; comments do not count. */
function named(text: string): string[] {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) {
      const { text: value } = node as ts.StringLiteralLike;
      if (isOperation(value) || isStatement(value) || isPath(value)) found.add(value);
    } else if (ts.isIdentifier(node) && isOperation(node.text)) {
      found.add(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true));
  return [...found];
}

const isOperation = (text: string): boolean =>
  (contract.operations as ReadonlyMap<string, unknown>).has(text);
const isStatement = (text: string): boolean => contract.statements.has(text);
const resources = [...contract.operations.values()].flatMap(({ path }) =>
  path.split('/').filter((part) => part.includes('-') || /^[a-z]{6,}$/i.test(part)),
);
const isPath = (text: string): boolean =>
  text.startsWith('/') &&
  text.split('/').some((part) => resources.includes(part.split('?')[0] ?? ''));
