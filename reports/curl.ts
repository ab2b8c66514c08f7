/** An exchange as a command of curl, with which a reader sees it again. A secret is a variable of the shell. */

import type { Report } from '../conformance/judge/report.ts';
import type { EvidenceEntry } from '../conformance/target/evidence.ts';
import { quoted, visible } from '../spec/base/visible.ts';

/** Headers that the runner sends with every call, and curl need not. */
const usual = ['accept: */*', 'accept-encoding: identity'];

/** Undefined if it is longer than anybody types, or holds what no line can show. */
export function curlOf(
  exchange: EvidenceEntry | undefined,
  { target }: Pick<Report, 'target'>,
  longest = 2000,
): string | undefined {
  if (exchange === undefined) return undefined;
  const { method, url, headers, postData } = exchange.request;
  const shell = (text: string): string => withVariables(text, target);
  const lines = headers.map(({ name, value }) => `${name}: ${value}`);
  const body = postData?.text ?? '';
  // Left to itself, curl names a media type of its own.
  if (body !== '' && !lines.some((line) => /^content-type:/i.test(line)))
    lines.push('Content-Type:');
  const words = [
    'curl -i',
    ...(target.ca === undefined ? [] : [`--cacert ${quoted(target.ca)}`]),
    // Left to itself, curl reads brackets as a pattern, and goes up at dots.
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...(/\/\.\.?(?:[/?]|$)/.test(url) ? ['--path-as-is'] : []),
    ...methodWords(method),
    ...lines
      .filter((line) => !usual.includes(line.toLowerCase()))
      .map((line) => `-H ${shell(line)}`),
    ...(body === '' ? [] : [`--data-raw ${shell(body)}`]),
    shell(url),
  ];
  const command = words.join(' ');
  return command.length <= longest && visible(command) === command ? command : undefined;
}

/** An answer to HEAD has no body, and curl would wait for one. */
function methodWords(method: string): string[] {
  if (method === 'GET') return [];
  return method === 'HEAD' ? ['--head'] : [`-X ${quoted(method)}`];
}

/** `memberOauth` is `$MEMBER_OAUTH`. */
export function variableOf(credential: string): string {
  return credential.replaceAll(/(?=[A-Z])/g, '_').toUpperCase();
}

/** A word of the shell, with the variables that the tenant file names. In the evidence the name of a credential, in braces, stands for its secret. */
function withVariables(text: string, { credentials, variables }: Report['target']): string {
  const parts = text.split(/\{(\w+)\}/);
  return parts
    .map((part, index) => {
      if (index % 2 === 0) return part === '' ? '' : quoted(part);
      return part in credentials
        ? `"$${variables?.[part] ?? variableOf(part)}"`
        : quoted(`{${part}}`);
    })
    .join('');
}
