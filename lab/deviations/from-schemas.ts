/**
 * Deviations that follow from the schemas of documented answers, for every operation. A field is
 * left out, null, or of another type. A value is outside its enum, pattern or format. An envelope
 * is added or removed.
 */
import { contract, type Level, type Operation, type Schema } from '../../spec/contract.ts';
import { again, subjectOf } from './conditions.ts';
import type { Does } from './does.ts';
import { changeAt, GONE, objectsOf, type Path } from './places.ts';
import { body, field, sets } from './replies.ts';
import { type Deviation, derived, type Row } from './rows.ts';

/** A place in a response body. */
interface Place {
  readonly path: Path;
  readonly schema: Schema;
  readonly required: boolean;
  /** The statements of the nearest schema node that names any. */
  readonly promises: readonly string[];
}

type Names = readonly string[];

/**
 * The properties of a schema, from the outside in. No statement promises those in `left`
 * (`x-unpromised`).
 */
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

/**
 * The documented and standard statements that a node names and that a call can show; undefined if
 * there are none.
 */
export function promisesOf(schema: Schema): readonly string[] | undefined {
  const named = schema['x-statements'] as string[] | undefined;
  return named?.filter((id) => observable(id, 'documented', 'standard'));
}

/** Whether a statement has one of these levels, and a call can show it. */
export function observable(id: string, ...levels: readonly Level[]): boolean {
  const statement = contract.statements.get(id);
  return (
    statement !== undefined &&
    levels.includes(statement.level) &&
    statement.unobservable === undefined
  );
}

/** The only success status of an operation, and its response. */
export function successOf({ responses }: Operation) {
  const [status, response] = Object.entries(responses).find(([key]) => /^2\d\d$/.test(key)) ?? [];
  return response && { status: Number(status), response };
}

function ofField({ path, schema, required, promises }: Place): Row[] {
  const name = path.join('.');
  const breaks = promises.join(' ');
  const left = sets(name, GONE);
  const ofEach: Row[] = [
    [`type: ${name} has another type`, breaks, field(name, otherType)],
    ...brokenValues(schema).map(([kind, text, change]): Row => {
      const does = field(name, (old) => change(String(old)));
      return [`${kind}: ${name} ${text}`, breaks, does];
    }),
  ];
  const ofRequired: Row[] = [
    [`drop: ${name} is left out`, breaks, left],
    [`null: ${name} is null`, breaks, sets(name, null)],
  ];
  const inList: Row = [`drop-last: ${name} is left out of the last item`, breaks, leftInLast(path)];
  const once: Row = [
    `drop-later: ${name} is left out the second time`,
    breaks,
    left,
    again(subjectOf),
  ];
  if (required && path.includes('*')) ofRequired.push(inList);
  if (required && path.length === 1) ofRequired.push(once);
  return required ? [...ofRequired, ...ofEach] : ofEach;
}

/** Leaves out the value at a place, in the last item of the innermost list only. */
function leftInLast(path: Path): Does {
  const at = path.lastIndexOf('*');
  return field(path.slice(0, at).join('.'), (list) => {
    const last = objectsOf(list).at(-1);
    const cut = changeAt(last, path.slice(at + 1), () => GONE);
    return objectsOf(list).map((item) => (item === last ? cut : item));
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
  // A text counts as broken only if the pattern rejects it.
  const takes = (text: string) => new RegExp(pattern, 'u').test(text);
  if (takes('2026-01-05T09:30:00.000Z')) {
    return takes('2026-01-05T09:30:00Z') ? ofTimes : ofExactTimes;
  }
  if (takes('1.2.3')) return takes('1.2.x') ? [] : ofVersions;
  return takes('image:v1.2.3') && !takes('image:1.2.3') ? ofImages : [];
}

function ofEnvelope({ success }: Operation, schema: Schema): Row[] {
  const properties = schema.properties as Record<string, Schema> | undefined;
  if (properties === undefined || success === undefined) return [];
  const { data } = properties;
  // One more envelope moves all fields of the data, so it breaks the promises of all.
  const fields = Object.values((data?.properties ?? {}) as Record<string, Schema>);
  const named = [schema, data ?? {}, ...fields].flatMap((node) => promisesOf(node) ?? []);
  const breaks = [...new Set([success, ...named])].join(' ');
  const unwrap = body((whole) => (whole as { data: unknown }).data);
  const rows: Row[] = [
    ['wrap: the answer has one more envelope', breaks, body((whole) => ({ data: whole }))],
    ['list: the answer is a list of one', breaks, body((whole) => [whole])],
  ];
  if (data !== undefined) rows.push(['unwrap: the answer has no data envelope', breaks, unwrap]);
  return rows;
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
    const ofFields = placesOf(schema).flatMap((place) => {
      const name = place.path.join('.');
      return derived(operation, (kind, id) => `${kind}:${id}:${name}`, ofField(place));
    });
    const ofWhole = derived(
      operation,
      (kind, id) => `${kind}:${id}`,
      ofEnvelope(operation, schema),
    );
    return [...ofFields, ...ofWhole];
  },
);
