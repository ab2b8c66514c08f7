/** An exchange as a reader wants to see it: who asked what, what came, and the wrong part marked. */

import type { CheckResult } from '../../conformance/judge/report.ts';
import type { EvidenceEntry } from '../../conformance/target/evidence.ts';
import { type Html, html, when } from '../../spec/base/html.ts';
import { isObject, parseJson, pointerKeys, pointerToken } from '../../spec/base/json.ts';
import { callerWords } from '../exchanges.ts';
import { cut, duration } from '../text.ts';

export function exchangeHtml(exchange: EvidenceEntry, check: CheckResult): Html {
  const { request, response, time } = exchange;
  const [root = ''] = pointerKeys(check.pointer ?? '');
  const status = html`${response.status === 0 ? 'no answer' : response.status}`;
  const body = linesOfBody(response.content.text ?? '', check);
  const sent = linesOfBody(request.postData?.text ?? '', undefined);
  return html`
<figure><figcaption><b>${callerWords(exchange)}</b> called:</figcaption>
<pre>${request.method} ${cut(request.url, 500)}${when(sent.length > 0, () => html`\n\n${excerpt(sent)}`)}</pre>
<figcaption>The target answered, after ${duration(time)}:</figcaption>
<pre>${root === 'status' ? html`<mark>${status}</mark>` : status}${headers(exchange, root, check)}${when(body.length > 0, () => html`\n\n${excerpt(body)}`)}</pre></figure>`;
}

/** The header that a check speaks of. */
function headers(
  { response }: EvidenceEntry,
  root: string,
  { pointer = '' }: CheckResult,
): Html | undefined {
  const name = root === 'media' ? 'content-type' : pointerKeys(pointer)[1];
  if (root !== 'media' && root !== 'headers') return undefined;
  const found = response.headers.filter((header) => header.name.toLowerCase() === name);
  if (found.length === 0) return html`\n<mark>(no header ${name})</mark>`;
  return html`${found.map(({ value }) => html`\n<mark>${name}: ${cut(value, 300)}</mark>`)}`;
}

interface Line {
  readonly text: string;
  readonly wrong: boolean;
}

const before = 5;
const most = 24;
const widest = 200;

/** The lines around the first wrong one, or the first of all. */
function excerpt(lines: readonly Line[]): Html {
  const wrong = lines.findIndex((line) => line.wrong);
  const start = Math.max(0, wrong < most - before ? 0 : wrong - before);
  const shown = lines.slice(start, start + most);
  const left = lines.length - start - shown.length;
  const gap = (number: number): Html | string =>
    number > 0 ? html`<i>… ${number} more lines …</i>` : '';
  const rows = shown.map(({ text, wrong }) => {
    const [indent = ''] = /^ */.exec(text) ?? [];
    const rest = cut(text.slice(indent.length), widest);
    return html`${indent}${wrong ? html`<mark>${rest}</mark>` : rest}\n`;
  });
  return html`${gap(start)}${start > 0 ? '\n' : ''}${rows}${gap(left)}`;
}

/** A body by lines: JSON laid out, other text as it is. */
function linesOfBody(text: string, check: CheckResult | undefined): Line[] {
  if (text === '') return [];
  const value = parseJson(text);
  const isWrong = check === undefined ? () => false : wrongness(check);
  if (isObject(value) || Array.isArray(value)) return [...layOut(value, '', '', '', isWrong)];
  return text
    .split(/\r?\n/)
    .map((line, index) => ({ text: line, wrong: isWrong(`/${index}`, line) }));
}

/** Whether the value at a place of the body is the wrong one. */
function wrongness({
  pointer = '',
  expected,
}: CheckResult): (at: string, value: unknown) => boolean {
  const [root, part, row] = pointerKeys(pointer);
  // Of the body as a whole, what it must not hold is wrong.
  if (root === 'body' && part !== undefined) return (at) => at === pointer.slice('/body'.length);
  // Below the header of the export.
  if (root === 'csv' && part === 'rows') return (at) => at === `/${Number(row) + 1}`;
  const banned = isObject(expected)
    ? (expected['not listed'] ?? containedBy(expected.$not))
    : undefined;
  if (!isObject(banned)) return (_at, value) => banned !== undefined && value === banned;
  const fields = Object.entries(banned);
  return (_at, value) => isObject(value) && fields.every(([name, item]) => value[name] === item);
}

function containedBy(matcher: unknown): unknown {
  return isObject(matcher) ? (matcher.$contains ?? matcher.$anywhere) : undefined;
}

function* layOut(
  value: unknown,
  at: string,
  indent: string,
  name: string,
  isWrong: (at: string, value: unknown) => boolean,
  comma = '',
  within = false,
): Generator<Line> {
  const wrong = within || isWrong(at, value);
  const children: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? [...value.entries()]
    : isObject(value)
      ? Object.entries(value)
      : [];
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (children.length === 0) {
    yield { text: `${indent}${name}${JSON.stringify(value) ?? ''}${comma}`, wrong };
    return;
  }
  yield { text: `${indent}${name}${open}`, wrong };
  for (const [index, [key, item]] of children.entries()) {
    const label = Array.isArray(value) ? '' : `${JSON.stringify(key)}: `;
    const end = index === children.length - 1 ? '' : ',';
    yield* layOut(item, at + pointerToken(key), `${indent}  `, label, isWrong, end, wrong);
  }
  yield { text: `${indent}${close}${comma}`, wrong };
}
