/**
 * All conditions that can limit a deviation to some calls. They follow from the contract. This file
 * has those about earlier calls and about headers.
 */
import { sameHeader } from '../conditions.ts';
import { same } from '../places.ts';
import { isRefused, isServed } from '../wire.ts';
import { callers, places } from './access.ts';
import { type Condition, type Fits, type Holds, rows } from './only-if.ts';
import { pages, parameters, spellings } from './sent.ts';
import { types, values } from './values.ts';

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
