/** An exchange for a reader: the caller, the call, the answer, and a mark on the wrong part. */

import type { CheckResult } from '../../conformance/judge/report.ts';
import type { EvidenceEntry } from '../../conformance/target/evidence.ts';
import { type Html, html, when } from '../../spec/base/html.ts';
import { isObject, parseJson, pointerKeys, pointerToken } from '../../spec/base/json.ts';
import { callerWords } from '../exchanges.ts';
import { cut, duration } from '../text.ts';

export function exchangeHtml(exchange: EvidenceEntry, check: CheckResult): Html {
  const { request, response, time } = exchange;
  const keys = pointerKeys(check.pointer ?? '');
  const status = response.status === 0 ? 'no answer' : response.status;
  const body = linesOfBody(response.content.text ?? '', wrongness(check));
  const sent = linesOfBody(request.postData?.text ?? '', () => false);
  return html`
<figure><figcaption><b>${callerWords(exchange)}</b> called:</figcaption>
<pre>${request.method} ${cut(request.url, 500)}${when(sent.length > 0, () => html`\n\n${excerpt(sent)}`)}</pre>
<figcaption>The target answered, after ${duration(time)}:</figcaption>
<pre>${keys[0] === 'status' ? html`<mark>${status}</mark>` : status}${headers(exchange, keys)}${when(body.length > 0, () => html`\n\n${excerpt(body)}`)}</pre></figure>`;
}

/** The header that a check is about. */
function headers({ response }: EvidenceEntry, [root, key]: readonly string[]): Html | undefined {
  if (root !== 'media' && root !== 'headers') return undefined;
  const name = root === 'media' ? 'content-type' : key;
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
  const gap = (number: number) => when(number > 0, () => html`<i>… ${number} more lines …</i>`);
  const rows = shown.map(({ text, wrong }) => {
    const [indent = ''] = /^ */.exec(text) ?? [];
    const rest = cut(text.slice(indent.length), widest);
    return html`${indent}${wrong ? html`<mark>${rest}</mark>` : rest}\n`;
  });
  return html`${gap(start)}${start > 0 ? '\n' : ''}${rows}${gap(left)}`;
}

/** A body by lines: JSON laid out, other text as it is. */
function linesOfBody(text: string, isWrong: IsWrong): Line[] {
  if (text === '') return [];
  const value = parseJson(text);
  if (isObject(value) || Array.isArray(value)) return layOut(value, '', isWrong);
  return text
    .split(/\r?\n/)
    .map((line, index) => ({ text: line, wrong: isWrong(`/${index}`, line) }));
}

/** Whether the value at a place of the body is the wrong one. */
type IsWrong = (at: string, value: unknown) => boolean;

function wrongness({ pointer = '', expected }: CheckResult): IsWrong {
  const [root, part, row] = pointerKeys(pointer);
  // If a check is about the whole body, the forbidden part is wrong.
  if (root === 'body' && part !== undefined) return (at) => at === pointer.slice('/body'.length);
  // The rows begin after the header of the export.
  if (root === 'csv' && part === 'rows') return (at) => at === `/${Number(row) + 1}`;
  if (!isObject(expected)) return () => false;
  const banned = expected['not listed'] ?? containedBy(expected.$not);
  if (!isObject(banned)) return (_at, value) => banned !== undefined && value === banned;
  const fields = Object.entries(banned);
  return (_at, value) => isObject(value) && fields.every(([name, item]) => value[name] === item);
}

function containedBy(matcher: unknown): unknown {
  return isObject(matcher) ? (matcher.$contains ?? matcher.$anywhere) : undefined;
}

function layOut(value: unknown, at: string, isWrong: IsWrong): Line[] {
  const wrong = isWrong(at, value);
  const isList = Array.isArray(value);
  const children = Object.entries<unknown>(isList || isObject(value) ? value : {});
  if (children.length === 0) return [{ text: JSON.stringify(value) ?? '', wrong }];
  const inner = children.flatMap(([key, item], index) => {
    const label = isList ? '' : `${JSON.stringify(key)}: `;
    const comma = index === children.length - 1 ? '' : ',';
    const lines = layOut(item, at + pointerToken(key), isWrong);
    return lines.map((line, number) => ({
      text: `  ${number === 0 ? label : ''}${line.text}${number === lines.length - 1 ? comma : ''}`,
      wrong: wrong || line.wrong,
    }));
  });
  const [open = '', close = ''] = isList ? '[]' : '{}';
  return [{ text: open, wrong }, ...inner, { text: close, wrong }];
}
