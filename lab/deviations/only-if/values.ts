/** Conditions on the values that are sent: texts, members of objects and lists, values of another type. */
import { isObject } from '../../../spec/base/json.ts';
import { operation as contractOperation, type Operation } from '../../../spec/contract.ts';
import { promisesOf } from '../from-schemas.ts';
import type { Deviation } from '../rows.ts';
import { isNotOfAccess } from './access.ts';
import {
  type Field,
  fieldsOf,
  isFreeObject,
  isFreeText,
  typeOf,
  typesOf,
  within,
} from './fields.ts';
import { type ConditionRow, type Fits, type Holds, rows } from './only-if.ts';
import { hasField, sendsIn } from './sent.ts';

const isOfTexts = (field: Field) => isFreeText(field) || isFreeObject(field);
const isOfLists = ({ schema }: Field) => schema.type === 'array';
type Of<Value> = (is: (value: Value) => boolean) => readonly [Fits, Holds];

const texts: Of<string> = (is) => {
  const isSuchText = (value: unknown) => typeof value === 'string' && is(value);
  return [hasField(isOfTexts), sendsIn(isOfTexts, (value) => within(value).some(isSuchText))];
};
/** A condition on any value inside an object that may hold anything. */
const inObjects: Of<unknown> = (is) => [
  hasField(isFreeObject),
  sendsIn(isFreeObject, (value) => within(value).drop(1).some(is)),
];
const objects: Of<readonly string[]> = (is) => {
  const isSuchObject = (value: unknown) => isObject(value) && is(Object.keys(value));
  return [
    hasField(isFreeObject),
    sendsIn(isFreeObject, (value) => within(value).some(isSuchObject)),
  ];
};
const lists: Of<readonly unknown[]> = (is) => [
  hasField(isOfLists),
  sendsIn(isOfLists, (value) => Array.isArray(value) && is(value)),
];

const isEmpty = (value: unknown) => isObject(value) && Object.keys(value).length === 0;
function areDistinct(list: readonly unknown[]): boolean {
  const texts = new Set(list.map((item) => JSON.stringify(item)));
  return list.length > 1 && texts.size === list.length;
}

export const values = rows(
  'value',
  [
    [
      'long-text',
      'if a text has more than a hundred characters',
      ...texts((text) => text.length > 100),
    ],
    ['empty-text', 'if an object holds an empty text', ...inObjects((value) => value === '')],
    ['short-text', 'if a text has one or two characters', ...texts((text) => /^..?$/.test(text))],
    [
      'non-ascii-text',
      'if a text has letters beyond ASCII',
      ...texts((text) => /[^\p{ASCII}]/u.test(text)),
    ],
    ['capitals', 'if a text has capitals', ...texts((text) => /[A-Z]/.test(text))],
    ['several-words', 'if a text has a space in it', ...texts((text) => /\S\s+\S/.test(text))],
    ['digits-only', 'if a text has digits only', ...texts((text) => /^\d+$/.test(text))],
    [
      'nested-value',
      'if an object holds an object',
      ...inObjects((value) => typeOf(value) === 'object'),
    ],
    ['null-value', 'if an object holds a null', ...inObjects((value) => value === null)],
    [
      'number-value',
      'if an object holds a number',
      ...inObjects((value) => typeof value === 'number'),
    ],
    [
      'boolean-value',
      'if an object holds a boolean',
      ...inObjects((value) => typeof value === 'boolean'),
    ],
    [
      'list-of-one-value',
      'if an object holds a list of one',
      ...inObjects((value) => Array.isArray(value) && value.length === 1),
    ],
    ['empty-object', 'if an object holds an empty object', ...inObjects(isEmpty)],
    [
      'key-with-capitals',
      'if a key has capitals',
      ...objects((keys) => keys.some((key) => /[A-Z]/.test(key))),
    ],
    ['several-keys', 'if an object has several keys', ...objects((keys) => keys.length > 1)],
    ['list-of-one', 'if a list has one item', ...lists(({ length }) => length === 1)],
    ['list-of-several', 'if a list has several items', ...lists(({ length }) => length > 1)],
    ['distinct-items', 'if a list has several items, no two alike', ...lists(areDistinct)],
  ],
  { suits: isNotOfAccess },
);

const jsonTypes = ['null', 'boolean', 'number', 'string', 'array', 'object'];
/** Whether the contract forbids a type for a field. It forbids null only for required fields. */
const isAnother =
  (type: string) =>
  ({ schema, list, required }: Field) => {
    const types = typesOf(schema);
    const isTold = list === undefined && types.length > 0 && (required || type !== 'null');
    return isTold && !types.includes(type);
  };
/**
 * The service need not serve a field of the wrong type, so such a call can only break a promised
 * refusal.
 */
const ofRefusals = (operation: Operation): readonly string[] => [
  ...Object.entries(operation.responses).flatMap(([status, { statements, schema }]) =>
    status.startsWith('4') ? [...statements, ...(promisesOf(schema ?? {}) ?? [])] : [],
  ),
  ...fieldsOf(operation).flatMap((field) =>
    field.required ? (promisesOf(field.schema) ?? []) : [],
  ),
];
const isOfRefusals = (deviation: Deviation): boolean =>
  isNotOfAccess(deviation) &&
  deviation.operations.some((id) =>
    ofRefusals(contractOperation(id)).some((one) => deviation.breaks.includes(one)),
  );

export const types = rows(
  'type',
  jsonTypes.map(
    (type): ConditionRow => [
      `${type}-instead`,
      `if a field of another type is sent as ${type}`,
      (one) => one.body !== null && hasField(isAnother(type))(one),
      sendsIn(isAnother(type), (value) => typeOf(value) === type),
    ],
  ),
  { suits: isOfRefusals },
);
