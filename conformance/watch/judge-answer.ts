/**
 * Judges one answer by itself, with the checks of `certify`: the contract, the promises that hold for every
 * answer, and the authorisation table. If the caller, or the promise for the request, is
 * uncertain, it says so and judges nothing.
 */

import { atPointer, isObject, objectsIn } from '../../spec/base/json.ts';
import type { Operation } from '../../spec/contract.ts';
import { gatewayStatuses, isSuccess, mayBeGateway } from '../judge/gateway.ts';
import type { Result } from '../judge/record.ts';
import { Answer } from '../language/answer.ts';
import { evaluate, showsAccess } from '../language/evaluate.ts';
import { standingChecks, watchedChecks } from '../language/load-check.ts';
import type { Check } from '../language/scenario.ts';
import { ScenarioScope } from '../language/scope.ts';
import { checkContract, type Observed } from '../target/contract-check.ts';
import { namesIn } from '../target/field-names.ts';
import { parametersIn, whyBeyond } from './asked.ts';
import { type Attributed, type Caller, type Known, letsInAnywhere, unmet } from './caller.ts';
import type { OpenAnswer } from './facts.ts';

/** The result of one check on one answer. */
export interface Reading {
  readonly check: Pick<Check, 'statement' | 'level' | 'location' | 'because'>;
  readonly kind: 'check' | 'contract';
  readonly result: Extract<Result, { kind: 'holds' | 'fails' }>;
}

export interface Judged {
  /** The answer as checks see it; undefined if it was not judged. */
  readonly answer?: Answer | undefined;
  /** The answer for promises over several calls, if it says nothing by itself. */
  readonly followed?: Answer | undefined;
  readonly readings: readonly Reading[];
  readonly seen: readonly Observed[];
  /** Reasons why the answer was not judged, or only in part. */
  readonly why: readonly string[];
  /** Refusals of a permitted caller. Later answers must confirm them. */
  readonly refused: readonly Reading[];
  /** Another answer than this caller is promised: the answers of others to the same request must confirm it. */
  readonly alone: readonly Reading[];
}

export function judgeAnswer(
  exchange: Attributed,
  known: Known,
  open: readonly OpenAnswer[],
): Judged {
  const { call, caller, texts } = exchange;
  const { operation } = call;
  const nothing = (why: string): Judged => ({
    ...{ readings: [], seen: [], why: [why], refused: [], alone: [] },
  });
  const { ending, status } = exchange;
  if (ending !== 'whole') return nothing(endings[ending]);
  if (operation === undefined) return nothing('the contract has no such operation');
  const read = texts.body;
  const text = typeof read === 'string' ? '' : read.text;
  const answer = answerOf(exchange, text, known);
  if (isOfGateway(status, text)) {
    // Those that a gateway alone answers say nothing of a service, however often they come.
    const alone = gatewayStatuses.includes(status) ? [] : accessOf(answer, caller).alone;
    return { ...nothing(`a gateway may have answered ${status} in its own words`), alone };
  }
  const path = call.parameters;
  const beyond = whyBeyond(call, exchange.request);
  // A web application may answer a HEAD in place of the service, and there is no body that shows it.
  if (beyond !== undefined && exchange.request.method === 'HEAD') return nothing(beyond);
  const access = accessOf(answer, caller);
  if (beyond !== undefined) return { ...access, seen: [], why: [beyond, ...access.why] };
  const isOpen = (one: OpenAnswer): boolean =>
    one.operation === operation.id && one.isOpen(answer, path, known.bindings);
  const unpromised = open.find(isOpen)?.why;
  // Together with other calls it may show a promise.
  if (unpromised !== undefined)
    return { ...access, followed: answer, seen: [], why: [unpromised, ...access.why] };
  const scope = new ScenarioScope(known, { id: 'traffic', startedAt: '' });
  scope.set('path', path);
  scope.set('query', parametersIn(operation, exchange.request.target));
  scope.set('caller', caller.label);
  const checks = [...standingChecks(operation), ...watchedChecks(operation)];
  if (typeof read === 'string') {
    const ofHead = checks.filter((check) => isOfHead(check));
    const readings = [
      ...statusOf(operation, answer),
      ...readAll(ofHead, answer, scope),
      ...access.readings,
    ];
    return { ...access, answer: undefined, readings, seen: [], why: [read, ...access.why] };
  }
  const contract = contractOf(operation, answer, known);
  return {
    answer,
    readings: [
      ...statusOf(operation, answer),
      ...contract.readings,
      ...readAll(checks, answer, scope),
      ...access.readings,
    ],
    seen: contract.seen,
    why: [...contract.why, ...access.why],
    ...{ refused: access.refused, alone: access.alone },
  };
}

const endings = {
  cancelled: 'the client did not wait for the whole answer',
  died: 'the connection broke before the whole answer was there',
  unreachable: 'the service could not be reached',
} as const;

/**
 * Whether a refusal is a web page. It may come from a firewall or another server, so it does not
 * count as the service's.
 */
function isOfGateway(status: number, text: string): boolean {
  return mayBeGateway({ status, text }) || (status >= 400 && /^\s*</.test(text));
}

function answerOf(exchange: Attributed, text: string, known: Known): Answer {
  const { call, status, headers, durationMs, request } = exchange;
  const wire = { status, headers, text, durationMs, sentAt: request.sentAt, throttled: 0 };
  const about = { method: request.method, target: request.target, body: call.sent };
  const answer = new Answer(wire, about, [], namesIn(call.operation, known.aliases));
  answer.response = call.operation?.responseFor(status);
  const { items } = call.operation ?? {};
  const list = items && status === 200 ? atPointer(answer.body, items.at) : undefined;
  answer.list = Array.isArray(list) ? list : undefined;
  return answer;
}

/** If a body was not read, only the status and the headers can be judged. */
function isOfHead({ conditions, only, atLeast }: Check): boolean {
  const facets = [conditions, ...only].flatMap((one) => Object.keys(one));
  return (
    facets.every((facet) => ['status', 'headers', 'media'].includes(facet)) &&
    Object.keys(atLeast).length === 0
  );
}

/** The promise about the success status, if the description shows only one. */
function statusOf(operation: Operation, answer: Answer): Reading[] {
  const { success, responses, lines } = operation;
  const shown = Object.keys(responses).filter((status) => status.startsWith('2'));
  if (success === undefined || !answer.ok || shown.length === 0) return [];
  const check = documented(success, lines.operation);
  const { status } = answer;
  if (answer.response !== undefined) return [{ check, kind: 'check', result: { kind: 'holds' } }];
  const failure = { expected: shown.join(' or '), actual: status, pointer: '/status' };
  return [{ check, kind: 'check', result: { kind: 'fails', ...failure } }];
}

const documented = (statement: string, line: number): Reading['check'] => {
  const location = { file: 'spec/openapi.yaml', line, column: 1 };
  return { statement, level: 'documented', location, because: undefined };
};

function contractOf(operation: Operation, answer: Answer, known: Known) {
  const { breaches, seen } = checkContract(operation, answer);
  const why: string[] = [];
  const readings = breaches.flatMap((breach): Reading[] => {
    const field = nameless(breach.expected, known);
    if (field !== undefined) {
      why.push(`the tenant file does not say how the tenant calls ${field} (aliases)`);
      return [];
    }
    const { statements, operation: whole } = operation.lines;
    const check = documented(breach.statement, statements[breach.statement] ?? whole);
    return [{ check, kind: 'contract', result: { kind: 'fails', ...breach } }];
  });
  return { readings, seen, why };
}

/** A field that the description writes with `unit` in place of the product's name, and that has no alias. */
function nameless(expected: unknown, { aliases }: Known): string | undefined {
  const field = /required property '(unit[A-Z]\w*|\w*Unit\w*)'/.exec(String(expected))?.[1];
  return field === undefined || [...aliases.values()].includes(field) ? undefined : field;
}

function readAll(checks: readonly Check[], answer: Answer, scope: ScenarioScope): Reading[] {
  return checks.flatMap((check): Reading[] => {
    const result = scope.of(answer, () => evaluate(check, scope));
    return result.kind === 'untestable' ? [] : [{ check, kind: 'check', result }];
  });
}

/** Compares the answer with the caller's rights in the authorisation table. */
function accessOf(answer: Answer, caller: Caller): Omit<Judged, 'seen' | 'answer' | 'followed'> {
  const readings: Reading[] = [];
  const refused: Reading[] = [];
  const alone: Reading[] = [];
  const why: string[] = [];
  if (caller.kind === 'unknown') why.push('the tenant file does not name the credential');
  if (caller.kind === 'hidden') why.push('the caller is hidden');
  if (caller.respelt === true && answer.status === 401)
    return { readings, refused, alone, why: [...why, 'its scheme is spelt in other letters'] };
  // As if somebody else had been served; whether that is so, later answers tell.
  const compared = answer.withEvidence([]);
  compared.access = 'alone refused';
  for (const cell of caller.cells) {
    const missing = unmet(cell);
    if (missing !== undefined) {
      why.push(missing);
      continue;
    }
    for (const check of cell.step.checks) {
      const result = cell.scope.of(compared, () => evaluate(check, cell.scope));
      if (result.kind === 'untestable') continue;
      const reading: Reading = { check, kind: 'check', result };
      const { status: wanted } = check.conditions;
      const sure = isSure(wanted, answer.status, cell.same);
      if (result.kind === 'holds' && (cell.same || isAnywhere(wanted))) readings.push(reading);
      else if (result.kind === 'fails' && sure === 'now') readings.push(reading);
      else if (result.kind === 'fails' && sure === 'if others are let in') refused.push(reading);
      else if (result.kind === 'fails') {
        const isPromised = cell.same || (wanted === 'allowed' && letsInAnywhere(check.statement));
        if (isPromised && ['allowed', 401, 403].includes(wanted as string)) alone.push(reading);
        // Most refusals of an allowed call are about the call.
        if (wanted !== 'allowed' || showsAccess(answer.status))
          why.push(`${answer.status} may have a cause that has nothing to do with the caller`);
      }
    }
  }
  return { readings, refused, alone, why };
}

/** Whether an expectation holds for every object. */
const isAnywhere = (wanted: unknown): boolean =>
  wanted === 401 || (isObject(wanted) && 'not' in wanted);

/**
 * Whether a status certainly differs from the one that the caller is promised. The call may name a missing
 * object, and the service may check that before or after the caller.
 */
function isSure(
  wanted: unknown,
  status: number,
  same: boolean,
): 'now' | 'if others are let in' | 'no' {
  if (wanted === 'allowed')
    return same && [401, 403].includes(status) ? 'if others are let in' : 'no';
  if (isAnywhere(wanted)) return isSuccess(status) || status === 403 ? 'now' : 'no';
  return same && isSuccess(status) ? 'now' : 'no';
}

/** Tokens that an answer gives to its caller. */
export function tokensIn(body: unknown): string[] {
  return [...objectsIn(body)].flatMap((object) =>
    Object.entries(object).flatMap(([name, value]) =>
      /token/i.test(name) && typeof value === 'string' ? [value] : [],
    ),
  );
}
