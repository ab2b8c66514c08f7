/**
 * Reduces an exchange to the parts that are kept. Traffic holds personal data: names, emails, texts and
 * tokens become shapes as they are recorded, unless bodies are to be kept. Secrets are never kept.
 */

import { isObject, outline, parseJson } from '../../spec/base/json.ts';
import { decoded } from '../../spec/base/visible.ts';
import type { TargetCall } from '../target/call.ts';
import { queryOf } from './asked.ts';
import { isOfService } from './basis.ts';
import type { Attributed, Caller } from './caller.ts';
import type { Headers, ReadBody } from './traffic.ts';

/** Marks an entry of the evidence whose body is only a shape. */
export const shapesHeader = 'lockstep-shapes';

/** Headers without personal data; the values of all others are left out. */
const plainHeaders = new Set([
  ...['accept', 'accept-encoding', 'accept-ranges', 'age', 'allow', 'cache-control', 'connection'],
  ...['content-encoding', 'content-length', 'content-type', 'date', 'expires', 'last-modified'],
  ...[
    'retry-after',
    'server',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
    'user-agent',
    'vary',
  ],
  ...['lockstep-basis', 'lockstep-world', 'content-range', 'range'],
]);

/** Headers of which only the part in a promise is kept. */
const firstWord: Readonly<Record<string, RegExp>> = {
  'www-authenticate': /^\s*[\w-]+/,
  'content-disposition': /^\s*[\w-]+/,
};

function keptHeaders(headers: Headers, caller?: Caller): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]): [string, string] => {
      const text = [value].flat().join(', ');
      const word = firstWord[name]?.exec(text)?.[0];
      if (word !== undefined) return [name, word];
      if (name === 'authorization')
        return [
          name,
          `${/^\s*(bearer|api-key)(?= )/i.exec(text)?.[0] ?? ''} {${caller?.label ?? 'redacted'}}`.trim(),
        ];
      return [name, plainHeaders.has(name) ? text : '{redacted}'];
    }),
  );
}

/**
 * Path and query without possible names. If the contract does not know the path, only numbers stay.
 */
function keptTarget({ operation, request }: TargetCall, target: string): string {
  const path =
    operation === undefined
      ? unknownPath(request.path)
      : request.path.split('/').map(maskEmail).join('/');
  const declared = new Map(operation?.parameters.map(({ name, schema }) => [name, schema]));
  const query = [...queryOf(target)].map(([name, value]) => {
    const schema = declared.get(name);
    const isPlain =
      schema?.type === 'integer'
        ? /^-?\d+$/.test(value)
        : schema?.enum !== undefined && /^\w*$/.test(value);
    return `${schema === undefined ? maskWord(name) : name}=${isPlain ? value : '*'}`;
  });
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

const maskEmail = (part: string): string => (decoded(part).includes('@') ? '*' : part);
const maskWord = (name: string): string => (/^[A-Za-z_]{1,24}$/.test(name) ? name : '*');

function unknownPath(path: string): string {
  if (!isOfService(path)) return '/*';
  return path
    .split('/')
    .map((part, index) =>
      index <= 4 && /^[a-z0-9-]{0,24}$/i.test(part) ? part : /^\d{1,12}$/.test(part) ? part : '*',
    )
    .join('/');
}

/**
 * The shape of a body without personal data, or the reason why it cannot be read; undefined if it
 * is empty.
 */
function shapeOf(read: ReadBody): unknown {
  if (typeof read === 'string') return read;
  const { text } = read;
  if (text === '') return undefined;
  const value = parseJson(text);
  return value === undefined ? `text of ${text.length} characters` : outline(value, false);
}

/** A value of an answer, as verdicts show it. */
export function shownValue(value: unknown, pointer: string): unknown {
  if (/^\/(status|media)\b/.test(pointer) || value === undefined || value === null) return value;
  if (typeof value === 'boolean' || typeof value === 'number') return value;
  return typeof value === 'string' ? `a text of ${value.length} characters` : outline(value, false);
}

const longestShape = 4096;

/** An exchange in the form for a journal. Its address is only the path. */
export function shapesOf(exchange: Attributed) {
  const { request, answer } = evidenceOf(exchange, '', false);
  return {
    request: { ...request, body: request.body && cut(request.body) },
    answer: { ...answer, text: cut(answer.text) },
  };
}

const cut = (shape: string): string =>
  shape.length > longestShape ? `a shape of ${shape.length} characters` : shape;

/** An exchange in the form for evidence. `to`: the service, without a trailing slash. */
export function evidenceOf(exchange: Attributed, to: string, keepBodies: boolean) {
  const { request, status, durationMs, call, caller, texts } = exchange;
  const kept = (read: ReadBody): string => {
    if (typeof read === 'string') return '';
    if (keepBodies) return read.text;
    const shape = shapeOf(read);
    return isObject(shape) || Array.isArray(shape) ? JSON.stringify(shape) : '';
  };
  const sent = kept(texts.sent);
  const mark = keepBodies ? {} : { [shapesHeader]: 'bodies' };
  const target = keepBodies ? request.target : keptTarget(call, request.target);
  return {
    request: {
      method: request.method,
      url: `${to}${target}`,
      headers: { ...keptHeaders(request.headers, caller), ...(sent !== '' && mark) },
      body: sent === '' ? undefined : sent,
    },
    answer: {
      ...{ status, durationMs, sentAt: request.sentAt, throttled: 0 },
      headers: { ...keptHeaders(exchange.headers), ...mark },
      text: kept(texts.body),
    },
  };
}
