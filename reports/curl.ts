/**
 * Writes an exchange as a curl command, so that a reader can repeat it. A secret becomes a shell
 * variable.
 */

import type { CheckResult, Report } from '../conformance/judge/report.ts';
import type { EvidenceEntry } from '../conformance/target/evidence.ts';
import { quoted, visible } from '../spec/base/visible.ts';
import { callWords, type Exchanges, onlyReads } from './exchanges.ts';
import { writesNeeded } from './failure-words.ts';
import { count, present } from './text.ts';

/** Headers that the runner always sends and that curl does not need. */
const usual = ['accept: */*', 'accept-encoding: identity'];

/** A client's own `Host` names the proxy, or is hidden; curl sends that of the address. */
const isHost = (line: string): boolean => /^host:/i.test(line);

/** The last writes before a failure usually suffice. */
const mostWrites = 3;

/**
 * The commands that reproduce a failure, one a line: the writes that it may depend on, then its call. A
 * line that begins with `#` says what is missing. Empty if the call itself cannot be a command.
 */
export function curlLines(
  check: CheckResult,
  report: Pick<Report, 'target'>,
  exchanges: Exchanges,
  longest?: number,
): string[] {
  const exchange = exchanges.at(check.evidence.at(-1));
  const last = curlOf(exchange, report, longest);
  if (exchange === undefined || last === undefined) return [];
  const needed = writesNeeded(check, exchanges);
  const left = needed.length - mostWrites;
  const lines = needed
    .slice(-mostWrites)
    .map((write) => curlOf(write, report, longest) ?? missingLine(callWords(write)));
  const changes =
    report.target.kind === 'tenant' && [...needed, exchange].some((one) => !onlyReads(one));
  return present(
    changes && '# This may change the tenant, and nothing puts it back: note the old value first.',
    left > 0 && missingLine(count(left, 'earlier write')),
    ...lines,
    last,
  );
}

const missingLine = (what: string): string => visible(`# ${what}: only in the evidence`);

/**
 * The world that a mock made for the run is gone afterwards: the command that makes it anew, with the
 * variables of these commands. Undefined if they need none.
 */
export function worldCommand(target: Report['target'], commands: readonly string[]) {
  const { world, baseUrl, credentials } = target;
  if (world === undefined || commands.length === 0) return undefined;
  const keys = Object.keys(credentials)
    // A key in one piece would be redacted, although the key of a mock's world protects nothing.
    .map((name) => [variableOf(name), `$world-${name}`] as const)
    .filter(([variable]) => commands.some((line) => line.includes(`"$${variable}"`)));
  const address = `${baseUrl.replace(/\/w\/\w+$/, '')}/__admin/worlds`;
  const variables = keys.map(([variable, key]) => `; ${variable}=${key}`).join('');
  return `world=${world}; curl ${quoted(address)} -d '{"id": "${world}"}'${variables}`;
}

/**
 * Undefined if the command is too long to type, or if it has characters that a line cannot show.
 */
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
  // By default, curl sends a media type of its own.
  if (body !== '' && !lines.some((line) => /^content-type:/i.test(line)))
    lines.push('Content-Type:');
  const words = [
    'curl -i',
    ...(target.ca === undefined ? [] : [`--cacert ${quoted(target.ca)}`]),
    // By default, curl treats brackets as a pattern, and resolves dots in the path.
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...(/\/\.\.?(?:[/?]|$)/.test(url) ? ['--path-as-is'] : []),
    ...methodWords(method),
    ...lines
      .filter((line) => !usual.includes(line.toLowerCase()) && !isHost(line))
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

/**
 * A shell word with the tenant file's variables. The evidence has the name of a credential, in
 * braces, in place of its secret.
 */
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
