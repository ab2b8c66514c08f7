/**
 * Deviations that follow from the schemas of documented answers, for every operation: fields dropped,
 * null, or of another type; values outside their enum, pattern or format; envelopes wrapped and
 * unwrapped.
 */
import { contract, type Level, type Operation, type Schema } from '../../spec/contract.ts';
import { again, objectOf } from './conditions.ts';
import { type Does, given } from './does.ts';
import { changeAt, GONE, type Path } from './places.ts';
import { body, field, sets } from './replies.ts';
import { type Deviation, type Wrong, wrongIn } from './rows.ts';

/** A place in a response body. */
interface Place {
  readonly path: Path;
  readonly schema: Schema;
  readonly required: boolean;
  /** Promises of the nearest schema node that names any. */
  readonly promises: readonly string[];
}

type Names = readonly string[];

/** The properties of a schema, outside in; those in `left` are promised by no statement (`x-unpromised`). */
function placesOf(schema: Schema, path: Path = [], above: Names = [], left: Names = []): Place[] {
  const promises = promisesOf(schema) ?? above;
  const unpromised = [...left, ...((schema['x-unpromised'] ?? []) as Names)];
  const required = (schema.required ?? []) as Names;
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const own = properties.flatMap(([name, property]): Place[] => {
    if (unpromised.includes(name)) return [];
    const [inner, named] = [[...path, name], promisesOf(property) ?? promises];
    const place = {
      path: inner,
      schema: property,
      required: required.includes(name),
      promises: named,
    };
    const within = placesOf(property, inner, named, unpromised);
    return named.length > 0 ? [place, ...within] : within;
  });
  const items = schema.items as Schema | undefined;
  return items === undefined
    ? own
    : [...own, ...placesOf(items, [...path, '*'], promises, unpromised)];
}

/** Documented and standard statements that a node names and a call can show; undefined where it names none. */
export function promisesOf(schema: Schema): readonly string[] | undefined {
  const named = schema['x-statements'] as string[] | undefined;
  return named?.filter((id) => observable(id, 'documented', 'standard'));
}

/** Whether a statement of one of these levels is one that a call can show. */
export function observable(id: string, ...levels: readonly Level[]): boolean {
  const statement = contract.statements.get(id);
  return (
    statement !== undefined &&
    levels.includes(statement.level) &&
    statement.unobservable === undefined
  );
}

/** The one status that a success is promised to have, and its response. */
export function successOf({ responses }: Operation) {
  const [status, response] = Object.entries(responses).find(([key]) => /^2\d\d$/.test(key)) ?? [];
  return response && { status: Number(status), response };
}

function ofField({ path, schema, required, promises }: Place): Wrong[] {
  const name = path.join('.');
  const wrong = (kind: string, text: string, does: Does): Wrong => {
    return [kind, name, `${name} ${text}`, promises, does];
  };
  const left = sets(name, GONE);
  const leftInLast = inLast(path, () => GONE);
  const own = [
    wrong('type', 'has another type', field(name, otherType)),
    ...brokenValues(schema).map(([kind, text, value]) =>
      wrong(
        kind,
        text,
        field(name, (old) => value(String(old))),
      ),
    ),
  ];
  if (!required) return own;
  own.push(wrong('drop', 'is left out', left), wrong('null', 'is null', sets(name, null)));
  if (path.includes('*')) own.push(wrong('drop-last', 'is left out of the last item', leftInLast));
  if (path.length === 1)
    own.push(wrong('drop-later', 'is left out the second time', given(again(objectOf), left)));
  return own;
}

/** Changes what stands at a place in the last item of the innermost list only. */
function inLast(path: Path, change: (old: unknown) => unknown): Does {
  const at = path.lastIndexOf('*');
  return field(path.slice(0, at).join('.'), (list) => {
    if (!Array.isArray(list)) return undefined;
    return [
      ...list.slice(0, -1),
      ...list.slice(-1).map((item) => changeAt(item, path.slice(at + 1), change)),
    ];
  });
}

type Broken = readonly [kind: string, text: string, value: (old: string) => string];

const otherCase = (old: string) =>
  old === old.toUpperCase() ? old.toLowerCase() : old.toUpperCase();
const ofEnum: readonly Broken[] = [
  ['case', 'changes its case', otherCase],
  ['widen', 'has a value outside the enum', () => 'other'],
];
const ofTimes: readonly Broken[] = [
  ['format', 'is not ISO 8601', (old) => new Date(old).toUTCString()],
  ['epoch', 'is a number of milliseconds', (old) => String(Date.parse(old))],
];
const ofExactTimes: readonly Broken[] = [
  ...ofTimes,
  ['precision', 'has no milliseconds', (old) => old.replace(/\.\d+Z$/, 'Z')],
  ['zone', 'has an offset instead of Z', (old) => old.replace(/Z$/, '+00:00')],
];
const ofImages: readonly Broken[] = [
  ['pattern', 'has no v before the version', (old) => old.replace(':v', ':')],
  ['bare', 'has no image repository', (old) => old.replace(/^.*:/, '')],
];
const ofVersions: readonly Broken[] = [
  ['pattern', 'has only two numbers', (old) => old.replace(/\.\d+$/, '')],
  ['prefix', 'has a v in front', (old) => `v${old}`],
];
const ofAddresses: readonly Broken[] = [['format', 'is not an address', () => 'not an address']];

/** Values of the right type that the field's enum, pattern or format does not allow. */
function brokenValues({ enum: values, format, pattern }: Schema): readonly Broken[] {
  if (Array.isArray(values)) return ofEnum;
  if (format === 'uri') return ofAddresses;
  if (typeof pattern !== 'string') return [];
  // What a pattern asks for is seen from what it lets through.
  const takes = (text: string) => new RegExp(pattern, 'u').test(text);
  if (takes('2026-01-05T09:30:00.000Z')) {
    return takes('2026-01-05T09:30:00Z') ? ofTimes : ofExactTimes;
  }
  if (takes('1.2.3')) return takes('1.2.x') ? [] : ofVersions;
  return takes('image:v1.2.3') && !takes('image:1.2.3') ? ofImages : [];
}

function ofEnvelope({ success }: Operation, schema: Schema): Wrong[] {
  const properties = schema.properties as Record<string, Schema> | undefined;
  if (properties === undefined || success === undefined) return [];
  const { data } = properties;
  // In one envelope more, the fields of the data are not where they belong.
  const fields = Object.values((data?.properties ?? {}) as Record<string, Schema>);
  const nodes = [schema, data ?? {}, ...fields];
  const promises = [...new Set([success, ...nodes.flatMap((node) => promisesOf(node) ?? [])])];
  const wrong = (kind: string, text: string, change: (whole: unknown) => unknown): Wrong => {
    return [kind, '', `the answer ${text}`, promises, body(change)];
  };
  const unwrap = (whole: unknown) => (whole as { data: unknown }).data;
  const envelope = data === undefined ? 'a data envelope' : 'one envelope more';
  return [
    ...(data === undefined ? [] : [wrong('unwrap', 'stands without its data envelope', unwrap)]),
    wrong('wrap', `stands in ${envelope}`, (whole) => ({ data: whole })),
    wrong('list', 'is a list of one', (whole) => [whole]),
  ];
}

function otherType(value: unknown): unknown {
  if (Array.isArray(value)) return { items: value };
  if (value !== null && typeof value === 'object') return [value];
  if (typeof value === 'string') return /^\d+$/.test(value) ? Number(value) : 7;
  return String(value);
}

export const fromSchemas: readonly Deviation[] = [...contract.operations.values()].flatMap(
  (operation) => {
    const schema = successOf(operation)?.response.schema;
    if (schema === undefined || schema === null) return [];
    const places = placesOf(schema);
    return wrongIn(operation.id, [...places.flatMap(ofField), ...ofEnvelope(operation, schema)]);
  },
);
