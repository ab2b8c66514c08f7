/** Explains why a request was refused, and how to repair it. */

import { unlikeness } from '../../spec/base/similar.ts';
import { contract, type Operation } from '../../spec/contract.ts';
import type {
  Explanation,
  Miss,
  MissingRight,
  NearestOperation,
  Problem,
  Repair,
} from '../world/explanation.ts';
import type { StruckBy } from '../world/journal.ts';
import { type Requested, requestedBy } from '../world/requested.ts';
import { authenticate, describeSent } from './authenticate.ts';
import { Basis } from './basis.ts';
import { bodyProblems } from './body-problems.ts';
import type { Exchange } from './decision.ts';
import { isRefusal, type Refusal } from './exchange.ts';
import { broken, describeMissing, mayEdit } from './rights.ts';
import { parseBody } from './validate.ts';

/** `requested` are the rights that the call needs; by default they are read from the request. */
export function explain(refusal: Refusal, exchange: Exchange, requested?: Requested): Explanation {
  const { message, statement, at, problems, rule } = refusal;
  const { credential, match, world } = exchange;
  const operation = match.kind === 'operation' ? match.operation : undefined;
  const near = operation === undefined ? nearest(exchange) : undefined;
  const line = operation && contractLine(refusal, operation);
  const asked = requested ?? requestedIn(exchange);
  return {
    message: shorten(message),
    statement,
    sentence: contract.statements.get(statement)?.text ?? null,
    contract: line === undefined ? null : `spec/openapi.yaml:${line}`,
    at: at && shorten(at),
    problems: problems?.map(cutProblem),
    missingRight: rule && describeMissing(rule, asked, world, describeSent(credential, world)),
    nearest: near && { ...near, misses: near.misses.map(cutProblem) },
  };
}

/**
 * The rights that a request line needs. For a path that only a `--description` knows, those of its
 * surface.
 */
function requestedIn({ match, surface }: Exchange): Requested {
  if (match.kind === 'operation') return requestedBy(match.operation.requires, match.params);
  return { requires: { surface, ...contract.surfaces[surface] } };
}

/** The longest text that a journal holds, apart from the bodies, whose size it counts. */
const LONGEST = 1000;

export function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (cut)` : text;
}

function cutProblem<Where extends { readonly at?: string | undefined; readonly message: string }>(
  problem: Where,
): Where {
  const { at, message } = problem;
  return { ...problem, message: shorten(message), at: at && shorten(at) };
}

/** The narrowest node of the contract that the refusal can be traced to. */
function contractLine(refusal: Refusal, operation: Operation): number | undefined {
  const { rule, problems, at, statement } = refusal;
  const { lines } = operation;
  if (!contract.statements.has(statement)) return undefined;
  if (rule !== undefined) return lines.requires;
  return (
    problems?.[0]?.line ??
    (at === undefined ? undefined : (lines.parameters[at] ?? bodyLine(at, lines.body))) ??
    lines.statements[statement] ??
    lines.operation
  );
}

/** Line of the schema at a pointer into the body, or of the nearest schema around it. */
function bodyLine(at: string, lines: Operation['lines']['body']): number | undefined {
  if (at !== '' && !at.startsWith('/')) return undefined;
  const tokens = at.split('/').slice(1);
  const schema = tokens.map((token) => (/^\d+$/.test(token) ? '/items' : `/properties/${token}`));
  for (let length = schema.length; length > 0; length -= 1) {
    const line = lines[schema.slice(0, length).join('')];
    if (line !== undefined) return line;
  }
  return undefined;
}

/** The explanation in lines for a terminal, after the message. */
export function explanationLines(refusal: Explanation, repairs: readonly Repair[] = []): string[] {
  const {
    statement,
    sentence,
    contract: place,
    problems = [],
    missingRight,
    nearest: near,
  } = refusal;
  const lines: string[] = [];
  if (sentence !== null) {
    lines.push(`${statement}: ${sentence}${place === null ? '' : ` (${place})`}`);
  }
  if (problems.length > 1) {
    for (const { at, message } of problems) lines.push(`at ${at || 'the body'}: ${message}`);
  } else if (refusal.at !== undefined) lines.push(`at ${refusal.at || 'the body'}`);
  if (missingRight !== undefined) {
    const { needs, has, credentials } = missingRight;
    const would = credentials.length === 0 ? 'none of this world' : credentials.join(', ');
    lines.push(`needs ${needs}; was sent ${has}`, `credentials that would do: ${would}`);
  }
  if (near !== undefined) {
    lines.push(`nearest is ${near.operation}, ${near.method} ${near.path}:`);
    for (const { what, message } of near.misses) lines.push(`  ${what}: ${message}`);
  }
  for (const { text, status } of repairs) lines.push(`accepted with ${status}: ${text}`);
  return lines;
}

/** The effect of a fault on a request, in words. */
export function tellFault({ id, phase, cut, delayMs, dripMs, served }: StruckBy): string {
  const slow = [
    ...(delayMs === undefined ? [] : [`was held back for ${delayMs} ms`]),
    ...(dripMs === undefined ? [] : [`took ${dripMs} ms to come`]),
  ];
  // The fault only delayed the service's answer.
  if (phase === 'before' && cut === undefined && served !== null) {
    return `${id} (a delay): the answer, ${served}, ${slow.join(', and ')}`;
  }
  const did =
    served === null ? 'the service did nothing' : `the service did its work and answered ${served}`;
  const lost = {
    'mid-body': 'the answer was cut in the middle',
    'mid-body-stall': 'the answer stalled in the middle',
    reset: 'the connection was reset',
    'half-close': 'the connection was closed without an answer',
    stall: 'no answer was sent',
  };
  const parts = [did];
  if (cut !== undefined) parts.push(lost[cut]);
  if (slow.length > 0) parts.push(`the answer ${slow.join(', and ')}`);
  return `${id} (${phase}): ${parts.join('; ')}`;
}

/** The comparison of two paths: its cost, the differences, and the values of the parameters. */
interface Alignment {
  readonly cost: number;
  readonly differences: readonly string[];
  readonly parameters: Readonly<Record<string, string>>;
}

const START: Alignment = { cost: 0, differences: [], parameters: {} };

/**
 * The highest cost for each segment of the operation's path. A path with a higher cost was not
 * meant.
 */
const FURTHEST = 0.45;
const LIKELY = 0.25;
const OTHER_METHOD = 0.3;
const LEFT_OUT = 0.6;

/** Undefined if no operation is near. */
function nearest(exchange: Exchange): NearestOperation | undefined {
  const [found] = nearTo(exchange);
  if (found === undefined) return undefined;
  const { request } = exchange;
  const { operation, differences, parameters } = found;
  const { id, method, path } = operation;
  const misses: Miss[] = [];
  if (method !== request.method) {
    misses.push({ what: 'method', message: `is ${method}, not ${request.method}` });
  }
  for (const message of differences) misses.push({ what: 'path', message });
  const missing = missingAt(operation, parameters, exchange);
  if (missing !== undefined) {
    const { needs, has } = missing;
    misses.push({ what: 'credential', message: `needs ${needs}, but was sent ${has}` });
  }
  for (const { at, message } of problemsOf(operation, request.body)) {
    misses.push({ what: 'body', at, message });
  }
  return { operation: id, method, path, misses };
}

/**
 * `; the nearest is`, an operation, its method and its path. Empty if the request probably meant
 * none.
 */
export function hint(exchange: Exchange): string {
  const likely = nearTo(exchange).find(({ cost, length }) => cost <= length * LIKELY);
  if (likely === undefined) return '';
  const { id, method, path } = likely.operation;
  return `; the nearest is ${id}, ${method} ${path}`;
}

/** An operation that a request may have meant, and how many segments its path has. */
export interface Near extends Alignment {
  readonly operation: Operation;
  readonly length: number;
}

/**
 * The operations near a request. They are cached, because the refusal and the journal both need
 * them.
 */
const found = new WeakMap<Exchange, readonly Near[]>();

function nearTo(exchange: Exchange): readonly Near[] {
  const known = found.get(exchange) ?? operationsNear(exchange.request.method, exchange.path);
  found.set(exchange, known);
  return known;
}

/** The operations that a request line may have meant, the nearest first. */
export function operationsNear(method: string, path: string): readonly Near[] {
  const sent = segments(path.replace(/\/$/, ''));
  const near = [...contract.operations.values()].flatMap((operation) => {
    const template = segments(operation.path);
    const { length } = template;
    if (Math.abs(length - sent.length) > length) return [];
    const aligned = align(sent, template, operation);
    const cost = aligned.cost + (operation.method === method ? 0 : OTHER_METHOD);
    return cost > length * FURTHEST ? [] : [{ ...aligned, cost, length, operation }];
  });
  return near.sort((a, b) => a.cost - b.cost);
}

function segments(path: string): string[] {
  return path.split('/').slice(1);
}

/** Compares two paths segment by segment, and returns the alignment with the lowest cost. */
function align(sent: readonly string[], template: readonly string[], { parameters }: Operation) {
  let row: Alignment[] = [START];
  const add = (from: Alignment = START, cost: number, difference: string): Alignment => ({
    ...from,
    cost: from.cost + cost,
    differences: [...from.differences, difference],
  });
  for (const [index, expected] of template.entries()) {
    row[index + 1] = add(row[index], LEFT_OUT, `has ${expected}, which is left out`);
  }
  for (const segment of sent) {
    const next = [add(row[0], LEFT_OUT, `has no ${JSON.stringify(segment)}`)];
    for (const [index, expected] of template.entries()) {
      const ways = [
        replace(row[index], segment, expected),
        add(row[index + 1], LEFT_OUT, `has no ${JSON.stringify(segment)}`),
        add(next[index], LEFT_OUT, `has ${expected}, which is left out`),
      ];
      next[index + 1] = ways.reduce((a, b) => (b.cost < a.cost ? b : a));
    }
    row = next;
  }
  return row[template.length] ?? START;

  function replace(before: Alignment = START, segment: string, expected: string): Alignment {
    if (!expected.startsWith('{')) {
      if (segment === expected) return before;
      const message = `has ${expected} where ${JSON.stringify(segment)} is`;
      return add(before, unlikeness(segment, expected) || 0.1, message);
    }
    const name = expected.slice(1, -1);
    const schema = parameters.find((item) => item.in === 'path' && item.name === name)?.schema;
    const read = { ...before.parameters, [name]: segment };
    if (segment === '') return add(before, LEFT_OUT, `has ${expected}, which is empty`);
    if (schema?.type !== 'integer' || /^\d+$/.test(segment)) {
      // The cost is small, but above 0: so a literal word of the path is nearer than a parameter.
      return { ...before, cost: before.cost + 0.05, parameters: read };
    }
    const message = `has ${expected}, an integer, where ${JSON.stringify(segment)} is`;
    return { ...add(before, 0.2, message), parameters: read };
  }
}

/** The right that the request's credential lacks for an operation. */
function missingAt(
  { requires }: Operation,
  parameters: Alignment['parameters'],
  { credential, world }: Exchange,
): MissingRight | undefined {
  const requested = requestedBy(requires, parameters);
  const caller = authenticate(requires, credential, new Basis(world, undefined));
  const rule = isRefusal(caller)
    ? caller.rule
    : (broken(requested, caller, world) ?? (mayEdit(requested, caller) ? undefined : 'edit'));
  return rule && describeMissing(rule, requested, world, describeSent(credential, world));
}

function problemsOf(
  { body, lines }: Operation,
  bytes: Uint8Array | undefined,
): readonly Pick<Problem, 'at' | 'message'>[] {
  if (body === null || bytes === undefined || bytes.length === 0) return [];
  const parsed = parseBody(bytes);
  if ('problem' in parsed) return [{ at: '', message: parsed.problem }];
  return bodyProblems(body.validate(parsed.value), parsed.value, lines.body);
}
