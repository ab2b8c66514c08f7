/** Why a request was refused, with everything that helps to put it right. */
import { contract, type Operation } from '../../spec/contract.ts';
import type { Explanation } from '../world/explanation.ts';
import type { StruckBy } from '../world/journal.ts';
import type { Exchange } from './decision.ts';
import type { Refusal } from './exchange.ts';
import { nearest } from './nearest.ts';

export function explain(refusal: Refusal, exchange: Exchange): Explanation {
  const { match } = exchange;
  const { message, statement, at, problems, lack } = refusal;
  const near = match.kind === 'operation' ? undefined : nearest(exchange);
  const line = match.kind === 'operation' ? lineOf(refusal, match.operation) : undefined;
  return {
    message: shorten(message),
    statement,
    sentence: contract.statements.get(statement)?.text ?? null,
    contract: line === undefined ? null : `spec/openapi.yaml:${line}`,
    at: at && shorten(at),
    problems: problems?.map(cutProblem),
    lack,
    nearest: near && { ...near, misses: near.misses.map(cutProblem) },
  };
}

/** The longest text that a journal holds beside the bodies, whose size it counts. */
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
function lineOf(refusal: Refusal, operation: Operation): number | undefined {
  const { lack, problems, at, statement } = refusal;
  const { lines } = operation;
  if (!contract.statements.has(statement)) return undefined;
  if (lack !== undefined) return lines.requires;
  return (
    problems?.[0]?.line ??
    (at === undefined ? undefined : (lines.parameters[at] ?? bodyLine(at, lines.body))) ??
    lines.statements[statement] ??
    lines.operation
  );
}

/** Line of the schema of what a pointer into the body names, or of the nearest that is around it. */
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
export function explanationLines(refusal: Explanation): string[] {
  const { statement, sentence, contract: place, problems = [], lack, nearest: near } = refusal;
  const lines: string[] = [];
  if (sentence !== null) {
    lines.push(`${statement}: ${sentence}${place === null ? '' : ` (${place})`}`);
  }
  if (problems.length > 1) {
    for (const { at, message } of problems) lines.push(`at ${at || 'the body'}: ${message}`);
  } else if (refusal.at !== undefined) lines.push(`at ${refusal.at || 'the body'}`);
  if (lack !== undefined) {
    const { needs, has, credentials } = lack;
    const would = credentials.length === 0 ? 'none of this world' : credentials.join(', ');
    lines.push(`needs ${needs}; was sent ${has}`, `credentials that would do: ${would}`);
  }
  if (near !== undefined) {
    lines.push(`nearest is ${near.operation}, ${near.method} ${near.path}:`);
    for (const { what, message } of near.misses) lines.push(`  ${what}: ${message}`);
  }
  return lines;
}

/** What a fault did to a request. */
export function tellFault({ id, phase, cut, delayMs, served }: StruckBy): string {
  // Nothing but a delay: an answer is held back that was made without it.
  if (phase === 'before' && cut === undefined && served !== null) {
    return `${id} (a delay): the answer, ${served}, was held back for ${delayMs} ms`;
  }
  const did =
    served === null ? 'the service did nothing' : `the service did its work and came to ${served}`;
  const lost = {
    'mid-body': 'the answer was cut in the middle',
    reset: 'the connection was reset',
    'half-close': 'the connection was closed without an answer',
    stall: 'no answer was sent',
  };
  const parts = [
    did,
    ...(cut === undefined ? [] : [lost[cut]]),
    ...(delayMs === undefined ? [] : [`the answer was held back for ${delayMs} ms`]),
  ];
  return `${id} (${phase}): ${parts.join('; ')}`;
}
