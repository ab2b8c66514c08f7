/**
 * When the target was out of order, told from the exchanges of a night: down, in maintenance,
 * throttling, or with a credential that has expired. What failed meanwhile says nothing of promises.
 */

import { gatewayStatuses } from '../judge/gateway.ts';
import { writtenStep } from '../judge/report.ts';
import { callTo } from '../target/call.ts';
import { type EvidenceEntry, entriesOf } from '../target/evidence.ts';

/** By credential, the operations that it has opened. */
export type Opened = Readonly<Record<string, readonly string[]>>;

export type Health = ReturnType<typeof healthOf>;

type Sickness = 'down' | 'in maintenance' | 'throttling';

type Exchange = ReturnType<typeof exchangesOf>[number];

/** So many sick answers in a row, of so many operations, are no matter of one operation. */
const [ROW, OPERATIONS] = [8, 3];
/** So many refusals of a credential, and nothing else, are no matter of one call. */
const REFUSALS = 3;

/** `before` is what each credential opened on earlier nights. */
export function healthOf(
  evidence: readonly { readonly text: string }[],
  baseUrl: string,
  before: Opened,
) {
  const all = exchangesOf(evidence, baseUrl);
  const found = [...sickSpans(all), ...expired(all, before)];
  const touched = new Set(found.flatMap(({ exchanges }) => exchanges.map((one) => one.scenario)));
  const sound = all.filter(({ sick, scenario }) => sick === undefined && !touched.has(scenario));
  const opened = Map.groupBy(all.filter(opens), ({ credential = '' }) => credential);
  return {
    /** A line each. */
    outages: found.map(({ line }) => line),
    /** Titles of the scenarios that an outage touched. */
    touched,
    opened: Object.fromEntries([...opened].map(([name, own]) => [name, operationsOf(own)])),
    /** `scenario | step` of every call that was answered in order. */
    answered: new Set(sound.map(({ scenario, step }) => `${scenario} | ${step}`)),
  };
}

/** What a status says of a target that does not serve; 0 is no answer. */
export function sicknessOf(status: number): Sickness | undefined {
  if (status === 0) return 'down';
  if (status === 429) return 'throttling';
  return gatewayStatuses.includes(status) ? 'in maintenance' : undefined;
}

function opens({ credential, status }: Exchange): boolean {
  return credential !== undefined && status >= 200 && status < 300;
}

function exchangesOf(evidence: readonly { readonly text: string }[], baseUrl: string) {
  const { protocol, pathname } = new URL(baseUrl);
  return evidence
    .flatMap(({ text }) => entriesOf(text))
    .flatMap(({ startedDateTime: at, request, response, _lockstep }) => {
      const url = new URL(request.url);
      // Plain HTTP is refused by a service in good order.
      if (url.protocol !== protocol) return [];
      const { method, headers } = request;
      const path = url.pathname.slice(pathname.replace(/\/$/, '').length);
      // Evidence holds the name of a credential in its place.
      const sent = headers.find(({ name }) => name.toLowerCase() === 'authorization')?.value;
      return [
        {
          ...{ at, scenario: _lockstep.scenario, step: writtenStep(_lockstep.step) },
          operation: callTo(method, path).operation?.id ?? `${method} ${path}`,
          credential: /^(?:Bearer|Api-Key) \{(\w+)\}$/.exec(sent ?? '')?.[1],
          ...{ status: response.status, sick: sick(response) },
        },
      ];
    })
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

/** A page or a redirection stands where an answer of the service should. */
function sick({ status, content }: EvidenceEntry['response']): Sickness | undefined {
  const elsewhere = status >= 300 && status < 400;
  const page = elsewhere || /^\s*<(!doctype )?html/i.test(content.text ?? '');
  return sicknessOf(status) ?? (page ? 'in maintenance' : undefined);
}

/** The longest rows of sick answers; a row ends at the first answer in order. */
function sickSpans(all: readonly Exchange[]) {
  const spans: Exchange[][] = [[]];
  for (const exchange of all) {
    if (exchange.sick === undefined) spans.push([]);
    else spans.at(-1)?.push(exchange);
  }
  const enough = Math.min(OPERATIONS, operationsOf(all).length);
  return spans
    .filter((span) => span.length >= ROW && operationsOf(span).length >= enough)
    .map((span) => {
      const kinds = [...Map.groupBy(span, ({ sick: kind }) => kind)];
      const [kind, own = []] = kinds.sort(([, a], [, b]) => b.length - a.length)[0] ?? [];
      const statuses = [...new Set(own.map(({ status }) => status || 'no answer'))].join(', ');
      const from = span[0] === all[0] ? '' : ` from ${time(span[0])}`;
      const to = span.at(-1) === all.at(-1) ? '' : ` until ${time(span.at(-1))}`;
      const line = `the target was ${kind}${from}${to} (${span.length} requests: ${statuses})`;
      return { line, exchanges: span };
    });
}

function time(exchange: Exchange | undefined): string {
  return exchange?.at.slice(11, 19) ?? '';
}

/** A credential that opened an operation before, and from some call on is answered 401 everywhere. */
function expired(all: readonly Exchange[], before: Opened) {
  const known = all.filter(({ credential, sick: kind }) => credential && kind === undefined);
  return [...Map.groupBy(known, ({ credential = '' }) => credential)].flatMap(([name, own]) => {
    const last = own.findLastIndex(({ status }) => status !== 401);
    const refused = own.slice(last + 1);
    const opened = new Set([...(before[name] ?? []), ...operationsOf(own.filter(opens))]);
    const closed = operationsOf(refused).filter((operation) => opened.has(operation));
    const enough = Math.max(1, Math.min(2, opened.size));
    if (refused.length < REFUSALS || closed.length < enough) return [];
    const from = last < 0 ? '' : ` from ${time(refused[0])}`;
    const line = `the credential ${name} has expired or was revoked: it is answered 401 everywhere${from}, and it worked before`;
    return [{ line, exchanges: refused }];
  });
}

function operationsOf(exchanges: readonly Exchange[]): string[] {
  return [...new Set(exchanges.map(({ operation }) => operation))].sort();
}
