/**
 * The conditions, made of facts of the contract: who asks, where, in which spelling, with which
 * parameters and values, what came before, and how it is sent.
 */
import {
  contract,
  operation as contractOperation,
  type Operation,
} from '../../../spec/contract.ts';
import { isElsewhere, sameHeader } from '../conditions.ts';
import type { When } from '../does.ts';
import { promisesOf } from '../from-schemas.ts';
import { pageOf, pagingOf } from '../pages.ts';
import { same } from '../places.ts';
import type { Deviation } from '../rows.ts';
import { type Caller, callerOf, isRefused, isServed } from '../wire.ts';
import {
  type Field,
  fieldsOf,
  isFreeObject,
  isFreeText,
  sentIn,
  typeOf,
  typesOf,
  within,
} from './fields.ts';
import type { Condition, Kind } from './only-if.ts';

const operations = [...contract.operations.values()];

type Fits = Condition['fits'];
type Holds = Condition['holds'];
type Row = readonly [name: string, text: string, fits: Fits, holds: Holds];

const rows = (
  kind: Kind,
  own: readonly Row[],
  more: Pick<Condition, 'suits'> = {},
): readonly Condition[] =>
  own.map(([name, text, fits, holds]) => ({ name, kind, text, fits, holds, ...more }));

// ── who asks, and where ─────────────────────────────────────────────────────────

const isSilent = (id: string | undefined): boolean =>
  id !== undefined && contract.statements.get(id)?.level === 'silent';
const takes =
  (kind: Caller['kind']): Fits =>
  ({ requires }) =>
    requires.credentials.includes(kind);
/** Whoever is no administrator is let in if neither a role nor a permission is asked for. */
const isOpen = ({ requires }: Operation): boolean =>
  (requires.role ?? requires.permission) === undefined;
const isOf =
  (kind: Caller['kind'], is: (caller: Caller) => boolean = () => true): Holds =>
  ({ call, target }) => {
    const caller = callerOf(call, target);
    return caller?.kind === kind && is(caller);
  };
const isUnscoped = ({ scope }: Caller) => scope === undefined;
const isAdmin = ({ admin }: Caller) => admin;
const isMember = ({ admin }: Caller) => !admin;

/** A rule about who may do what is about callers already: it is broken for some or for nobody. */
const ofCallers = new Set(
  operations.flatMap(({ requires: { statements = {} } }) => [
    ...[statements.permission, statements.edit].filter((id) => id !== undefined),
    ...Object.values(statements.role ?? {}),
  ]),
);
const isNotOfCallers = ({ id, breaks }: Deviation): boolean =>
  !id.startsWith('auth:') && !breaks.every((one) => one.startsWith('AUTH-') || ofCallers.has(one));

const callers = rows(
  'caller',
  [
    [
      'admin',
      'for the unscoped key of an administrator',
      takes('apiKey'),
      isOf('apiKey', (one) => isUnscoped(one) && isAdmin(one)),
    ],
    [
      'member',
      'for the key of a member',
      (one) => takes('apiKey')(one) && isOpen(one),
      isOf('apiKey', isMember),
    ],
    ['oauth', 'for the OAuth token of an administrator', takes('oauth'), isOf('oauth', isAdmin)],
    [
      'member-oauth',
      'for the OAuth token of a member',
      (one) =>
        takes('oauth')(one) && isOpen(one) && !isSilent(one.requires.statements?.role?.oauth),
      isOf('oauth', isMember),
    ],
    [
      'scoped',
      'for a scoped key',
      (one) => takes('apiKey')(one) && one.requires.deployment !== undefined,
      isOf('apiKey', (one) => !isUnscoped(one)),
    ],
      [
      'admin-embed',
      'for the embed JWT of an administrator',
      takes('embed'),
      isOf('embed', isAdmin),
    ],
  ],
  { suits: isNotOfCallers },
);

const places = rows('deployment', [
  [
    'elsewhere',
    'in another deployment than the first',
    ({ requires }) => requires.deployment !== undefined,
    isElsewhere,
  ],
]);

// ── spellings and parameters ────────────────────────────────────────────────────

const hasField =
  (is: (field: Field, operation: Operation) => boolean): Fits =>
  (operation) =>
    fieldsOf(operation).some((field) => is(field, operation));
const sends =
  (...names: readonly string[]): Holds =>
  ({ call }) =>
    names.every((name) =>
      fieldsOf(call.operation).some(
        (field) => field.name === name && sentIn(call, field).length > 0,
      ),
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

/** The fields that say what a call is about: one of them is enough. */
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
/** Two optional fields of one operation that stand next to each other. */
const pairs = operations.flatMap((one) => {
  const free = fieldsOf(one).filter(({ required, list }) => !required && list === undefined);
  return free.flatMap((first, index) =>
    free.slice(index + 1).map((second) => [first.name, second.name] as const),
  );
});
const uniquePairs = unique(pairs.map((pair) => pair.join(' '))).map((pair) => pair.split(' '));

const eitherType = ({ schema }: Field) =>
  typesOf(schema).includes('number') && typesOf(schema).includes('string');
const sendsEither =
  (type: string): Holds =>
  ({ call }) =>
    fieldsOf(call.operation).some(
      (field) => eitherType(field) && sentIn(call, field).some((value) => typeOf(value) === type),
    );
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

const spellings = rows('spelling', [
  ...spelt.map(
    (name): Row => [
      `by-${name}`,
      `if ${name} says who or what it is`,
      hasField((field, one) => field.name === name && namers(one).includes(name)),
      sends(name),
    ],
  ),
  [
    'identifier-as-number',
    'if an identifier is sent as a number',
    hasField(eitherType),
    sendsEither('number'),
  ],
  [
    'identifier-as-text',
    'if an identifier is sent as a text',
    hasField(eitherType),
    sendsEither('string'),
  ],
  ['plain-version', 'if a version is spelt as a number', hasVersion, versionIs(/^\d[^:]*$/)],
  ['version-with-v', 'if a version is spelt with a v', hasVersion, versionIs(/^v[^:]*$/)],
  ['whole-version', 'if a version is spelt with its image', hasVersion, versionIs(/:/)],
  ['bearer', 'for a credential as Bearer', bySchemes, scheme(/^bearer /i)],
  ['api-key', 'for a credential as Api-Key', bySchemes, scheme(/^api-key /i)],
]);

const parameters = rows('parameter', [
  ...optional.map((name): Row => [`with-${name}`, `if ${name} is sent`, has(name), sends(name)]),
  ...optional.map(
    (name): Row => [`without-${name}`, `if ${name} is not sent`, has(name), sendsNo(name)],
  ),
  ...uniquePairs.map(
    (names): Row => [
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
const limitOf: (asked: Parameters<When>[0]) => number = ({ call }) =>
  Number(call.query[pagingOf(call).sent[1]]);
const offsetOf: (asked: Parameters<When>[0]) => number = ({ call }) => {
  const { sent, base } = pagingOf(call);
  return Number(call.query[sent[0]] ?? base) - base;
};
const isLast: When = async ({ call, target }) => {
  const { offset, items, total } = pageOf(call, await target.handle(call));
  return offset > 0 && items.length > 0 && offset + items.length >= total;
};
const pages = rows('page', [
  ['first-page', 'on the first page', isList, (asked) => offsetOf(asked) <= 0],
  ['later-page', 'on later pages', isList, (asked) => offsetOf(asked) > 0],
  ['last-page', 'on the last of several pages', isList, isLast],
  ['page-of-one', 'on pages of one item', isList, (asked) => limitOf(asked) === 1],
  ['large-page', 'on pages of fifty items or more', isList, (asked) => limitOf(asked) >= 50],
]);

// ── values ──────────────────────────────────────────────────────────────────────

/** Some value in fields of this sort, or in what stands in them. */
const someValue =
  (isField: (field: Field) => boolean, is: (value: unknown) => boolean): Holds =>
  ({ call }) =>
    fieldsOf(call.operation).some(
      (field) => isField(field) && sentIn(call, field).some((value) => within(value).some(is)),
    );
const texts = (is: (text: string) => boolean): readonly [Fits, Holds] => [
  hasField((field) => isFreeText(field) || isFreeObject(field)),
  someValue(
    (field) => isFreeText(field) || isFreeObject(field),
    (value) => typeof value === 'string' && is(value),
  ),
];
/** What stands in an object that may hold anything. */
const inFree = (is: (value: unknown) => boolean): readonly [Fits, Holds] => [
  hasField(isFreeObject),
  ({ call }) =>
    fieldsOf(call.operation).some(
      (field) =>
        isFreeObject(field) && sentIn(call, field).some((value) => within(value).drop(1).some(is)),
    ),
];
const isListField = ({ schema }: Field) => schema.type === 'array';
const objects = (is: (keys: readonly string[]) => boolean): readonly [Fits, Holds] => [
  hasField(isFreeObject),
  someValue(isFreeObject, (value) => typeOf(value) === 'object' && is(Object.keys(Object(value)))),
];
const values = rows('value', [
  [
    'long-text',
    'if a text has more than a hundred characters',
    ...texts((text) => text.length > 100),
  ],
  ['empty-text', 'if a text is empty', ...texts((text) => text === '')],
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
    'if an object stands in an object',
    ...inFree((value) => typeOf(value) === 'object'),
  ],
  ['null-value', 'if a null stands in an object', ...inFree((value) => value === null)],
  [
    'number-value',
    'if a number stands in an object',
    ...inFree((value) => typeof value === 'number'),
  ],
  [
    'boolean-value',
    'if a boolean stands in an object',
    ...inFree((value) => typeof value === 'boolean'),
  ],
  [
    'list-of-one-value',
    'if a list of one stands in an object',
    ...inFree((value) => Array.isArray(value) && value.length === 1),
  ],
  ['empty-object', 'if an object is empty', ...objects((keys) => keys.length === 0)],
  [
    'key-with-capitals',
    'if a key has capitals',
    ...objects((keys) => keys.some((key) => /[A-Z]/.test(key))),
  ],
  ['several-keys', 'if an object has several keys', ...objects((keys) => keys.length > 1)],
  [
    'list-of-one',
    'if a list has one item',
    hasField(isListField),
    someValue(isListField, (value) => Array.isArray(value) && value.length === 1),
  ],
  [
    'list-of-several',
    'if a list has several items',
    hasField(isListField),
    someValue(isListField, (value) => Array.isArray(value) && value.length > 1),
  ],
]);

const jsonTypes = ['null', 'boolean', 'number', 'string', 'array', 'object'];
const isAnother =
  (type: string) =>
  ({ schema, list }: Field) =>
    list === undefined && typesOf(schema).length > 0 && !typesOf(schema).includes(type);
/** Nobody promises to serve a field of another type, so only refusals can go wrong then. */
const ofRefusals = (operation: Operation): readonly string[] => [
  ...Object.entries(operation.responses).flatMap(([status, { statements, schema }]) =>
    status.startsWith('4') ? [...statements, ...(promisesOf(schema ?? {}) ?? [])] : [],
  ),
  ...fieldsOf(operation).flatMap((field) =>
    field.required ? (promisesOf(field.schema) ?? []) : [],
  ),
];
const isOfRefusals = ({ breaks, operations: ids }: Deviation): boolean =>
  ids.some((id) => ofRefusals(contractOperation(id)).some((one) => breaks.includes(one)));

const types = rows(
  'type',
  jsonTypes.map(
    (type): Row => [
      `${type}-instead`,
      `if a field of another type is sent as ${type}`,
      (one) => one.body !== null && hasField(isAnother(type))(one),
      ({ call }) =>
        call.operation.body !== null &&
        fieldsOf(call.operation).some(
          (field) =>
            isAnother(type)(field) && sentIn(call, field).some((value) => typeOf(value) === type),
        ),
    ],
  ),
  { suits: isOfRefusals },
);

// ── what came before, and how it is sent ────────────────────────────────────────

const always: Fits = () => true;
const isWrite: Fits = ({ effect }) => effect !== 'none';
const before = rows('before', [
  [
    'after-refusal',
    'right after a refusal',
    always,
    (_asked, { last }) => last !== undefined && isRefused(last.reply),
  ],
  [
    'after-success',
    'right after a success',
    always,
    (_asked, { last }) => last !== undefined && isServed(last.reply),
  ],
  [
    'after-another-caller',
    'right after a call of somebody else',
    always,
    ({ call }, { last }) => last !== undefined && sameHeader(last.call) !== sameHeader(call),
  ],
  [
    'after-another-object',
    'right after a call about something else',
    isWrite,
    ({ call }, { last }) => last !== undefined && !same(last.call.path, call.path),
  ],
  ['every-second', 'every second time', always, (_asked, { calls }) => calls % 2 === 1],
]);
const connections = rows('connection', [
  [
    'same-caller-again',
    'if the same caller asked right before, as on a connection that is kept alive',
    always,
    ({ call }, { last }) => last !== undefined && sameHeader(last.call) === sameHeader(call),
  ],
  [
    'same-again',
    'if the same was asked right before, as by the second of two at once',
    always,
    ({ call }, { last }) =>
      last?.call.target === call.target &&
      last.call.text === call.text &&
      sameHeader(last.call) === sameHeader(call),
  ],
]);

const header =
  (name: string, is: (value: string) => boolean): Holds =>
  ({ call }) =>
    is(call.headers[name] ?? '');
const hasBody: Fits = ({ body }) => body !== null;
const headers = rows('header', [
  ['without-accept', 'if no Accept is sent', always, header('accept', (value) => value === '')],
  [
    'accept-json',
    'if Accept names JSON',
    always,
    header('accept', (value) => value.includes('json')),
  ],
  [
    'charset',
    'if Content-Type has a charset',
    hasBody,
    header('content-type', (value) => value.includes('charset')),
  ],
]);

export const conditions: readonly Condition[] = [
  ...callers,
  ...places,
  ...spellings,
  ...parameters,
  ...pages,
  ...values,
  ...types,
  ...before,
  ...connections,
  ...headers,
];
