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

interface Refused {
  readonly body: Body;
  readonly document: unknown;
  readonly world: World;
}

/** The distance of a patch that changes more than it mends. */
const WHOLE = 4;
/** To mend more of them leads too far from what was sent, and the time grows with their square. */
const MOST_FAILURES = 500;
/** How many rows of a table are looked at for a value. */
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
  const refused = { body, document, world };
  const failures = body.validate(document);
  if (failures.length > MOST_FAILURES) return;
  const choices = failures.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const isWithin = (one: Failure, other: Failure) =>
    one.schemaPointer.startsWith(`${other.schemaPointer}/`);
  const outer = failures.filter((one) => !choices.some((choice) => isWithin(one, choice)));
  const places = (refusal.problems ?? [refusal]).flatMap(({ at }) =>
    at?.startsWith('/') ? [at] : [],
  );
  const options =
    outer.length > 0
      ? outer.map((one) =>
          patchesFor(
            refused,
            one,
            failures.filter((other) => isWithin(other, one)),
          ),
        )
      : places.map((at) => patchesAt(refused, at));
  yield* combined(options);
  for (const example of body.examples) {
    for (const [key, value] of Object.entries(isObject(example) ? example : {})) {
      const path = pointerToken(key);
      if (!equal(atPointer(document, path), value)) yield [2.5, [{ op: 'add', path, value }]];
    }
  }
}

/** The first patch for each fault together; then each other one in the place of the first of its fault. */
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
function patchesFor(refused: Refused, failure: Failure, inner: readonly Failure[]): Patch[] {
  const { document, body } = refused;
  const { keyword, params, pointer } = failure;
  const value = atPointer(document, pointer);
  switch (keyword) {
    case 'required': {
      const name = String(params.missingProperty);
      const path = `${pointer}${pointerToken(name)}`;
      const known = Object.keys(propertiesAt(body.schema, pointer));
      const extra = Object.keys(isObject(value) ? value : {}).filter((key) => !known.includes(key));
      const slip = meant(name, extra);
      const from = slip === undefined ? undefined : `${pointer}${pointerToken(slip)}`;
      const examples = examplesAt(body, path).map(
        (example): Patch => [{ op: 'add', path, value: example }],
      );
      return [...(from === undefined ? [] : [[{ op: 'move', from, path }] as const]), ...examples];
    }
    case 'anyOf':
    case 'oneOf': {
      const branches = [...Map.groupBy(inner, branchOf(failure)).values()];
      if (branches.length > 0) {
        return branches.flatMap((all) => {
          const firsts = all.flatMap((one) => patchesFor(refused, one, [])[0] ?? []);
          return firsts.length === 0 ? [] : [firsts];
        });
      }
      // It fits several forms that exclude each other: without one of its fields it may fit one.
      return Object.keys(isObject(value) ? value : {}).map((key) => [
        { op: 'remove', path: `${pointer}${pointerToken(key)}` },
      ]);
    }
    case 'additionalProperties':
      return patchesAt(refused, `${pointer}${pointerToken(String(params.additionalProperty))}`);
    case 'maxItems': {
      const list = Array.isArray(value) ? value : [];
      const kept = list.slice(0, Number(params.limit));
      const last: Patch = [{ op: 'remove', path: `${pointer}/${list.length - 1}` }];
      const all: Patch = [{ op: 'replace', path: pointer, value: kept }];
      return [kept.length === list.length - 1 ? last : all];
    }
    default:
      return patchesAt(refused, pointer);
  }
}

function branchOf(choice: Failure): (failure: Failure) => string {
  return ({ schemaPointer }) =>
    schemaPointer.slice(choice.schemaPointer.length + 1).split('/')[0] ?? '';
}

/** The patches that may help at a place: the name that was meant, another value, or nothing at all. */
function patchesAt({ body, document, world }: Refused, path: string): Patch[] {
  const { parent, key } = placeOf(path);
  const holder = atPointer(document, parent);
  const value = atPointer(document, path);
  const schema = schemaAt(body.schema, path);
  if (value === undefined && !(isObject(holder) && Object.hasOwn(holder, key))) {
    return examplesAt(body, path).map((example) => [{ op: 'add', path, value: example }]);
  }
  const known = Object.keys(propertiesAt(body.schema, parent)).filter(
    (name) => isObject(holder) && !Object.hasOwn(holder, name),
  );
  const slip = schema === undefined ? meant(key, known) : undefined;
  const renamed: Patch[] =
    slip === undefined
      ? []
      : [[{ op: 'move', from: path, path: `${parent}${pointerToken(slip)}` }]];
  const others = [
    ...converted(value, schema ?? {}),
    ...likeNamed(world, key, value),
    ...examplesAt(body, path),
  ].filter((other) => !equal(other, value));
  const replaced = others.map((other): Patch => [{ op: 'replace', path, value: other }]);
  const item = /^(.*\/\d+)\//.exec(path)?.[1];
  return [
    ...renamed,
    ...(schema === undefined ? [] : replaced),
    [{ op: 'remove', path }],
    ...(item === undefined ? [] : [[{ op: 'remove', path: item }] as const]),
    ...(item === undefined ? [] : examplesAt(body, item)).map(
      (other): Patch => [{ op: 'replace', path: item ?? '', value: other }],
    ),
  ];
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

/** The values of rows that a field may mean: of `branchName` the names of branches. The most similar first. */
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

/** The few of some values that are most like one. */
export function nearestTo(sent: unknown, values: readonly unknown[]): unknown[] {
  const known = values.filter((value) => typeof value === 'string' || typeof value === 'number');
  const likeness = (value: unknown) => unlikeness(String(value), String(sent));
  return [...new Set(known)].sort((a, b) => likeness(a) - likeness(b)).slice(0, MOST_VALUES);
}

/** The values at a place of the contract's examples, any item of a list instead of another. */
function examplesAt({ examples }: Body, path: string): unknown[] {
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

function propertiesAt(schema: Schema, path: string): Schema {
  return (schemaAt(schema, path)?.properties ?? {}) as Schema;
}
