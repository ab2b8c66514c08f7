/**
 * Patches that may help a refused body: from its mismatches with its schema, or from the place
 * that a refusal names. A guess costs only a trial, so there are many guesses, the likeliest first.
 */
import { atPointer, equal, isObject, pointerKeys, pointerToken } from '../../spec/base/json.ts';
import { meant, unlikeness } from '../../spec/base/similar.ts';
import type { Failure, Operation, Schema } from '../../spec/contract.ts';
import type { Explanation, PatchOperation } from '../world/explanation.ts';
import { tableNames } from '../world/rows.ts';
import type { World } from '../world/world.ts';
import { placeOf } from './json-patch.ts';

type Patch = readonly PatchOperation[];
type Body = NonNullable<Operation['body']>;

/** A patch, and its distance from the body that was sent. */
export type CostedPatch = readonly [cost: number, patch: Patch];

/** A document that was refused, such as a body, and the form that it should have. */
export interface RefusedDocument extends Pick<Body, 'schema' | 'examples'> {
  readonly document: unknown;
  readonly world: World;
}

/** The distance of a patch that changes more than the fault needs. */
const WHOLE = 4;
/**
 * The most faults to mend: a repair of more would differ too much from the request, and the time grows with
 * their square.
 */
const MOST_FAILURES = 500;
/** The most rows of a table in which a value is searched. */
const MOST_ROWS = 500;
const MOST_VALUES = 3;

/** `document` is undefined if the body is not JSON, or was not kept whole. */
export function* bodyPatches(
  body: Body,
  document: unknown,
  refusal: Pick<Explanation, 'at' | 'problems'>,
  world: World,
): Generator<CostedPatch, void> {
  for (const value of body.examples) yield [WHOLE, [{ op: 'replace', path: '', value }]];
  if (document === undefined) return;
  const refused = { ...body, document, world };
  const failures = body.validate(document);
  if (failures.length > MOST_FAILURES) return;
  const choices = failures.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const isWithin = (one: Failure, other: Failure) =>
    one.schemaPointer.startsWith(`${other.schemaPointer}/`);
  const outer = failures.filter((one) => !choices.some((choice) => isWithin(one, choice)));
  const below = (outer: Failure) => failures.filter((one) => isWithin(one, outer));
  const places = (refusal.problems ?? [refusal]).flatMap(({ at }) =>
    at?.startsWith('/') ? [at] : [],
  );
  yield* combined(
    outer.length > 0
      ? outer.map((one) => patchesFor(refused, one, below(one)))
      : places.map((at) => patchesAt(refused, at)),
  );
  for (const example of body.examples) {
    for (const [key, value] of Object.entries(isObject(example) ? example : {})) {
      const path = pointerToken(key);
      if (!equal(atPointer(document, path), value)) yield [2.5, [{ op: 'add', path, value }]];
    }
  }
}

/**
 * First, the first patch of each fault, all together. Then each other patch, in place of the first patch of
 * its fault.
 */
function* combined(options: readonly (readonly Patch[])[]): Generator<CostedPatch, void> {
  const first = options.map(([patch = []]) => patch);
  if (first.flat().length > 0) yield [1 + first.flat().length / 10, first.flat()];
  for (const [index, patches] of options.entries()) {
    for (const [later, patch] of patches.slice(1).entries()) {
      const all = first.with(index, patch).flat();
      yield [1.3 + later / 10 + all.length / 10, all];
    }
  }
}

/** The patches that may mend a failure of the schema, the likeliest first. */
function patchesFor(
  refused: RefusedDocument,
  { keyword, params, pointer, schemaPointer }: Failure,
  inner: readonly Failure[],
): Patch[] {
  const value = atPointer(refused.document, pointer);
  if (keyword === 'anyOf' || keyword === 'oneOf') {
    const branchOf = (one: Failure) => one.schemaPointer.slice(schemaPointer.length).split('/')[1];
    const branches = [...Map.groupBy(inner, branchOf).values()];
    const firsts = branches.map((all) =>
      all.flatMap((one) => patchesFor(refused, one, [])[0] ?? []),
    );
    if (branches.length > 0) return firsts.filter((patch) => patch.length > 0);
    // The value fits several forms that exclude each other. Without one of its fields it may fit only one.
    return keysOf(value).map((key) => [{ op: 'remove', path: `${pointer}${pointerToken(key)}` }]);
  }
  if (keyword === 'maxItems' && Array.isArray(value)) {
    const kept = value.slice(0, Number(params.limit));
    return kept.length === value.length - 1
      ? [[{ op: 'remove', path: `${pointer}/${kept.length}` }]]
      : written('replace', pointer, [kept]);
  }
  const name = params.missingProperty ?? params.additionalProperty;
  return patchesAt(refused, `${pointer}${name === undefined ? '' : pointerToken(String(name))}`);
}

/** The patches that may help at a place: another name, another value, or no value. */
export function patchesAt(refused: RefusedDocument, path: string): Patch[] {
  const { parent, key } = placeOf(path);
  const sent = keysOf(atPointer(refused.document, parent));
  const known = keysOf(schemaAt(refused.schema, parent)?.properties);
  const value = atPointer(refused.document, path);
  const examples = examplesAt(refused, path);
  if (value === undefined) {
    const unknown = sent.filter((name) => !known.includes(name));
    return [...renamed(parent, meant(key, unknown), key), ...written('add', path, examples)];
  }
  const schema = schemaAt(refused.schema, path);
  const missing = known.filter((name) => !sent.includes(name));
  const others = [
    ...converted(value, schema ?? {}),
    ...likeNamed(refused.world, key, value),
    ...examples,
  ].filter((other) => !equal(other, value));
  const item = /^(.*\/\d+)\//.exec(path)?.[1];
  const items: Patch[] =
    item === undefined
      ? []
      : [[{ op: 'remove', path: item }], ...written('replace', item, examplesAt(refused, item))];
  return [
    ...(schema === undefined
      ? renamed(parent, key, meant(key, missing))
      : written('replace', path, others)),
    [{ op: 'remove', path }],
    ...items,
  ];
}

function written(op: 'add' | 'replace', path: string, values: readonly unknown[]): Patch[] {
  return values.map((value) => [{ op, path, value }]);
}

/** Gives a field of an object another name; nothing if either name is not known. */
function renamed(parent: string, from: string | undefined, to: string | undefined): Patch[] {
  if (from === undefined || to === undefined) return [];
  const at = (name: string) => `${parent}${pointerToken(name)}`;
  return [[{ op: 'move', from: at(from), path: at(to) }]];
}

function keysOf(value: unknown): string[] {
  return isObject(value) ? Object.keys(value) : [];
}

/** The same value in a form that a schema accepts, or the nearest value that it accepts. */
function converted(value: unknown, schema: Schema): unknown[] {
  const types = [schema.type ?? []].flat();
  const { enum: words, maxLength, maximum, minimum } = schema;
  const text = String(value);
  const found: unknown[] = [];
  if (Array.isArray(words)) found.push(meant(text, words.map(String)) ?? words[0]);
  if (types.includes('string') && typeof value === 'number') found.push(text);
  if (types.includes('boolean') && /^(true|false)$/.test(text)) found.push(text === 'true');
  const isNumber = types.includes('integer') || types.includes('number');
  if (isNumber && typeof value === 'string' && /^-?\d{1,15}$/.test(value))
    found.push(Number(value));
  if (types.includes('integer') && typeof value === 'number') found.push(Math.trunc(value));
  if (types.includes('array') && !Array.isArray(value)) found.push([value]);
  if (!types.includes('array') && Array.isArray(value)) found.push(value[0]);
  if (typeof maxLength === 'number' && typeof value === 'string')
    found.push(value.slice(0, maxLength));
  for (const bound of [maximum, minimum]) if (typeof bound === 'number') found.push(bound);
  return found;
}

/** Tables with a column of that name. If several have one, such as `name`, a field means none of them. */
const MOST_TABLES = 2;

/**
 * The values of rows that a field may mean, the most similar first. For `branchName` these are the names of
 * branches.
 */
function likeNamed(world: World, field: string, sent: unknown): unknown[] {
  const columns = tableNames.flatMap((table) => {
    const rows: readonly object[] = world.state.tables[table].slice(0, MOST_ROWS);
    const column = columnOf(table, field, rows[0]);
    if (column === undefined) return [];
    return [rows.map((row) => (row as Readonly<Record<string, unknown>>)[column])];
  });
  return columns.length > MOST_TABLES ? [] : nearestTo(sent, columns.flat());
}

function columnOf(table: string, field: string, row: object | undefined): string | undefined {
  if (row === undefined || table === 'credentials') return undefined;
  if (Object.hasOwn(row, field)) return field;
  const one = table.replace(/(ch|x|s)es$|s$/, '$1');
  if (!field.startsWith(one)) return undefined;
  const column = field.slice(one.length).toLowerCase();
  return Object.hasOwn(row, column) ? column : undefined;
}

/** The few values that are most similar to one value. */
export function nearestTo(sent: unknown, values: readonly unknown[]): unknown[] {
  const known = values.filter((value) => typeof value === 'string' || typeof value === 'number');
  const likeness = (value: unknown) => unlikeness(String(value), String(sent));
  return [...new Set(known)].sort((a, b) => likeness(a) - likeness(b)).slice(0, MOST_VALUES);
}

/** The values at a place of the contract's examples. Any item of a list may be used for any other. */
function examplesAt({ examples }: RefusedDocument, path: string): unknown[] {
  const first = pointerKeys(path)
    .map((key) => pointerToken(/^\d+$/.test(key) ? 0 : key))
    .join('');
  const found = [path, first].flatMap((place) => examples.map((one) => atPointer(one, place)));
  return found.filter((value) => value !== undefined);
}

function schemaAt(schema: Schema, path: string): Schema | undefined {
  let node: Schema | undefined = schema;
  for (const key of pointerKeys(path)) {
    const { items, properties }: Schema = node ?? {};
    node = (/^\d+$/.test(key) && isObject(items) ? items : (properties as Schema)?.[key]) as
      | Schema
      | undefined;
  }
  return node;
}
