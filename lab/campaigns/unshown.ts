/**
 * Decides by rule if traffic can show a deviation at all. It cannot if another cause, which no promise
 * forbids, gives the same answers. It looks at the calls in which the deviation took effect, and at the
 * results of the run that made the calls. It does not use the watcher.
 */

import { isSuccess, mayBeGateway } from '../../conformance/judge/gateway.ts';
import type { CheckResult, Report } from '../../conformance/judge/report.ts';
import { ownFamily } from '../../conformance/language/own-suite.ts';
import type { Target, Transport } from '../../conformance/target/target.ts';
import { operationRoutes } from '../../spec/routes.ts';

/** A call, and whether the deviation took effect in it. */
export interface TracedCall {
  readonly operation: string | undefined;
  /** Equal requests have the same text, whoever sent them. */
  readonly request: string;
  /** The actor of the authorisation table, or what was sent in place of a credential. */
  readonly caller: string;
  readonly status: number;
  readonly text: string;
  readonly hit: boolean;
}

/** Keeps the calls to a target. `effects` counts how often the deviation took effect. */
export function traced(
  { transport: send, baseUrl, credentials }: Pick<Target, 'transport' | 'baseUrl' | 'credentials'>,
  effects: () => number,
  calls: TracedCall[],
): Transport {
  return async (request, signal) => {
    const before = effects();
    const answer = await send(request, signal);
    const { method, url, headers, body } = request;
    const [path = ''] = url.slice(baseUrl.length).split('?');
    calls.push({
      operation: operationRoutes.find(method, path)?.value?.id,
      request: JSON.stringify([method, url, body]),
      caller: callerOf(headers.authorization ?? headers.Authorization ?? '', credentials),
      ...{ status: answer.status, text: answer.text, hit: effects() > before },
    });
    return answer;
  };
}

function callerOf(authorization: string, credentials: Target['credentials']): string {
  for (const [name, { secret }] of credentials) {
    if (authorization === `Bearer ${secret}`) return name;
    if (authorization === `Api-Key ${secret}`) return `${name}ApiKey`;
  }
  return authorization;
}

/** Whether the description leaves open how the caller is answered. */
const isOpen = ({ operation, caller }: TracedCall): boolean =>
  ownFamily().cells.some(
    (cell) =>
      cell.operation === operation &&
      cell.actor === caller &&
      cell.clauses.every(({ expected }) => expected === 'silent'),
  );

const isServed = ({ status }: TracedCall): boolean => isSuccess(status);

/** Whether another caller was served with the same request, before a call and after it. */
function isAlone(call: TracedCall, calls: readonly TracedCall[]): boolean {
  const at = calls.indexOf(call);
  const isOther = (other: TracedCall): boolean =>
    isServed(other) && other.request === call.request && other.caller !== call.caller;
  return calls.slice(0, at).some(isOther) && calls.slice(at).some(isOther);
}

const failures = ['violated', 'deviates', 'unstable'];
const failing = (checks: readonly CheckResult[]) =>
  checks.filter(({ verdict }) => failures.includes(verdict));

/** Whether some check of each broken statement held, so that the promise was also kept. */
function alsoHeld(reports: readonly Report[]): boolean {
  const all = reports.flatMap(({ statements }) => statements);
  const broken = new Set(
    all.filter(({ checks }) => failing(checks).length > 0).map(({ id }) => id),
  );
  const held = all.filter(({ checks }) => checks.some(({ verdict }) => verdict === 'verified'));
  return broken.isSubsetOf(new Set(held.map(({ id }) => id)));
}

interface Traffic {
  readonly calls: readonly TracedCall[];
  readonly hits: readonly TracedCall[];
  readonly reports: readonly Report[];
}

/** The first reason that fits. */
const reasons: Readonly<Record<string, (traffic: Traffic) => boolean>> = {
  'not shown: no call meets it': ({ hits }) => hits.length === 0,
  'not shown: it looks like an outage, because the operation served nobody': ({ calls, hits }) => {
    const hit = new Set(hits.map(({ operation }) => operation));
    return (
      hits.every(mayBeGateway) && !calls.some((one) => hit.has(one.operation) && isServed(one))
    );
  },
  'not shown: the refusal may be right, because nobody else was served with the same request before and after it':
    ({ calls, hits }) => hits.every((one) => one.status >= 300 && !isAlone(one, calls)),
  'not shown: no status is wrong, and another user may have made the wrong state': ({
    hits,
    reports,
  }) => {
    const checks = reports.flatMap(({ statements }) => statements.flatMap((one) => one.checks));
    const isState = failing(checks).every(({ pointer = '' }) => !pointer.startsWith('/status'));
    return isState && (alsoHeld(reports) || !hits.some(isServed));
  },
};

export const isShown = 'shown, and not noticed';

/** The reason in words; `isShown` if there is none. */
export function whyNotShown(calls: readonly TracedCall[], reports: readonly Report[]): string {
  const traffic = { calls, hits: calls.filter((call) => call.hit && !isOpen(call)), reports };
  return Object.keys(reasons).find((reason) => reasons[reason]?.(traffic)) ?? isShown;
}
