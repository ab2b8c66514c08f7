/** Conditions on the values sent: their spelling, the parameters and fields, the page. */
import { contract, type Operation } from '../../../spec/contract.ts';
import { sameHeader } from '../conditions.ts';
import type { Asked, When } from '../does.ts';
import { pageOf, pagingOf } from '../pages.ts';
import { isNotOfAccess, isSilent } from './access.ts';
import { type Field, fieldsOf, sentIn } from './fields.ts';
import { type ConditionRow, type Fits, type Holds, rows } from './only-if.ts';

const operations = [...contract.operations.values()];

export const hasField =
  (is: (field: Field, operation: Operation) => boolean): Fits =>
  (operation) =>
    fieldsOf(operation).some((field) => is(field, operation));
/** Holds if a field of this kind is sent with a value of this kind. */
export const sendsIn =
  (isField: (field: Field) => boolean, is: (value: unknown) => boolean): Holds =>
  ({ call }) =>
    fieldsOf(call.operation).some((field) => isField(field) && sentIn(call, field).some(is));
const sends =
  (...names: readonly string[]): Holds =>
  (asked, earlier) =>
    names.every((name) =>
      sendsIn(
        (field) => field.name === name,
        () => true,
      )(asked, earlier),
    );
const sendsNo =
  (name: string): Holds =>
  (asked, earlier) =>
    !sends(name)(asked, earlier);
const has =
  (...names: readonly string[]): Fits =>
  (operation) =>
    names.every((name) =>
      fieldsOf(operation).some((field) => field.name === name && !field.required),
    );

/** The fields that identify the object of a call. A call needs only one of them. */
const namers = ({ object, people }: Operation): readonly string[] => [
  ...(object?.fields ?? []),
  ...(people?.keys ?? []),
];
const unique = (names: readonly string[]): readonly string[] => [...new Set(names)];
const spelt = unique(operations.flatMap(namers));
const optional = unique(
  operations.flatMap((one) =>
    fieldsOf(one).flatMap(({ name, required }) =>
      required || namers(one).includes(name) ? [] : name,
    ),
  ),
);
/** Whether the description leaves open the meaning of two fields sent together. */
const isOpenTogether = ({ body }: Operation): boolean =>
  ((body?.schema['x-statements'] ?? []) as readonly string[]).some(isSilent);
/** Pairs of optional fields that one call may send. */
const pairs = operations.flatMap((one) => {
  const free = fieldsOf(one).filter(({ required, list }) => !required && list === undefined);
  return (isOpenTogether(one) ? [] : free).flatMap((first, index) =>
    free.slice(index + 1).map((second) => [first.name, second.name] as const),
  );
});
const uniquePairs = unique(pairs.map((pair) => pair.join(' '))).map((pair) => pair.split(' '));

const hasVersion = has('releaseChannelVersion');
const versionIs =
  (form: RegExp): Holds =>
  ({ call }) =>
    form.test(String(call.body.releaseChannelVersion ?? ''));
const bySchemes: Fits = ({ requires }) => requires.schemes.length > 1;
const scheme =
  (form: RegExp): Holds =>
  ({ call }) =>
    form.test(sameHeader(call));

export const spellings = rows('spelling', [
  ...spelt.map(
    (name): ConditionRow => [
      `by-${name}`,
      `if ${name} says who or what it is`,
      hasField((field, one) => field.name === name && namers(one).includes(name)),
      sends(name),
    ],
  ),
  ['plain-version', 'if a version is spelt as a number', hasVersion, versionIs(/^\d[^:]*$/)],
  ['version-with-v', 'if a version is spelt with a v', hasVersion, versionIs(/^v[^:]*$/)],
  ['whole-version', 'if a version is spelt with its image', hasVersion, versionIs(/:/)],
  ['bearer', 'for a credential as Bearer', bySchemes, scheme(/^bearer /i)],
  ['api-key', 'for a credential as Api-Key', bySchemes, scheme(/^api-key /i)],
]);

export const parameters = rows('parameter', [
  ...optional.map(
    (name): ConditionRow => [`with-${name}`, `if ${name} is sent`, has(name), sends(name)],
  ),
  ...optional.map(
    (name): ConditionRow => [`without-${name}`, `if ${name} is not sent`, has(name), sendsNo(name)],
  ),
  ...uniquePairs.map(
    (names): ConditionRow => [
      `with-${names.join('-and-')}`,
      `if ${names.join(' and ')} are sent together`,
      has(...names),
      sends(...names),
    ],
  ),
  [
    'one-field',
    'if the body has one field only',
    ({ body }) => Object.keys(Object(body?.schema.properties)).length > 1,
    ({ call }) => Object.keys(call.body).length === 1,
  ],
]);

const isList: Fits = ({ items }) => items !== undefined;
const limitOf = ({ call }: Asked): number => Number(call.query[pagingOf(call).sent[1]]);
const offsetOf = ({ call }: Asked): number => {
  const { sent, base } = pagingOf(call);
  return Number(call.query[sent[0]] ?? base) - base;
};
const isLast: When = async ({ call, target }) => {
  const { offset, items, total } = pageOf(call, await target.handle(call));
  return offset > 0 && items.length > 0 && offset + items.length >= total;
};
export const pages = rows(
  'page',
  [
    ['first-page', 'on the first page', isList, (asked) => offsetOf(asked) <= 0],
    ['later-page', 'on later pages', isList, (asked) => offsetOf(asked) > 0],
    ['last-page', 'on the last of several pages', isList, isLast],
    ['page-of-one', 'on pages of one item', isList, (asked) => limitOf(asked) === 1],
    ['large-page', 'on pages of fifty items or more', isList, (asked) => limitOf(asked) >= 50],
  ],
  { suits: isNotOfAccess },
);
