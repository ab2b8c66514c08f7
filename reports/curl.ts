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
  const shell = (text: string): string => withVariables(text, Object.keys(target.credentials));
  const lines = headers.map(({ name, value }) => `${name}: ${value}`);
  const body = postData?.text ?? '';
  // Left to itself, curl names a media type of its own.
  if (body !== '' && !lines.some((line) => /^content-type:/i.test(line)))
    lines.push('Content-Type:');
  const words = [
    'curl -i',
    ...(method === 'GET' ? [] : [`-X ${quoted(method)}`]),
    ...lines
      .filter((line) => !usual.includes(line.toLowerCase()))
      .map((line) => `-H ${shell(line)}`),
    ...(body === '' ? [] : [`--data-raw ${shell(body)}`]),
    shell(url),
  ];
  const command = words.join(' ');
  return command.length <= longest && visible(command) === command ? command : undefined;
}

/** `memberOauth` is `$MEMBER_OAUTH`. */
export function variableOf(credential: string): string {
  return credential.replaceAll(/(?=[A-Z])/g, '_').toUpperCase();
}

/** A word of the shell. In the evidence the name of a credential, in braces, stands for its secret. */
function withVariables(text: string, credentials: readonly string[]): string {
  const parts = text.split(/\{(\w+)\}/);
  return parts
    .map((part, index) => {
      if (index % 2 === 0) return part === '' ? '' : quoted(part);
      return credentials.includes(part) ? `"$${variableOf(part)}"` : quoted(`{${part}}`);
    })
    .join('');
}
