/** Reads the steps of a scenario file. */

import { parseDuration } from '../../spec/base/duration.ts';
import { isObject } from '../../spec/base/json.ts';
import { hint } from '../../spec/base/similar.ts';
import type { YamlSource } from '../../spec/base/yaml-source.ts';
import { contract, type Effect, type OperationId } from '../../spec/contract.ts';
import { checksOf, conditionsOf, noFile, observesOf, standingChecks } from './load-check.ts';
import {
  type Mode,
  type ScenarioText,
  type Step,
  type StepText,
  safeMethods,
  type Timing,
} from './scenario.ts';
import { callerOf, pathBindings, refuseUnknown, worse } from './vocabulary.ts';

/** Shared by the steps of a file while they are read. */
export interface StepContext {
  readonly source: YamlSource;
  readonly defaults: Pick<ScenarioText, 'as' | 'path'>;
  /** The steps read so far, with everything that they took over from other steps. */
  readonly known: Map<string, StepText>;
}

/** The keys that `again` takes over. */
const callKeys: readonly (keyof StepText)[] = [
  'as',
  'call',
  'request',
  'path',
  'query',
  'headers',
  'body',
  'rawBody',
  'method',
  'over',
  'effect',
  'walkPages',
  'scimList',
  'list',
];

export function loadSteps(context: StepContext, steps: readonly StepText[]): Step[] {
  return steps
    .flatMap((step) => unfolded(context.source, step))
    .map((step) => loadStep(context, step));
}

/** A call in forEach becomes a step inside it; a call of several operations becomes a step for each. */
function unfolded(source: YamlSource, step: StepText): readonly StepText[] {
  const { forEach, ...each } = step;
  const made: StepText[] = [];
  if (forEach !== undefined && step.steps === undefined) made.push({ forEach, steps: [each] });
  else if (Array.isArray(step.call)) {
    const names = new Set(step.call.flatMap(pathNames));
    for (const call of step.call) {
      const id = step.id === undefined ? call : `${step.id}-${call}`;
      const own = pathNames(call);
      const path = Object.entries(step.path ?? {}).filter(
        ([name]) => own.includes(name) || !names.has(name),
      );
      made.push({ ...step, id, call, path: Object.fromEntries(path) });
    }
  } else return [step];
  source.inherit(each, step);
  for (const item of made) source.inherit(item, step);
  return made;
}

function pathNames(call: OperationId): readonly string[] {
  const { parameters = [] } = contract.operations.get(call) ?? {};
  return parameters.filter((item) => item.in === 'path').map(({ name }) => name);
}

/** One step that is not in a file. */
export function stepFrom(text: StepText): Step {
  return loadStep({ source: noFile, defaults: {}, known: new Map() }, text);
}

type Reading = ReturnType<typeof readingOf>;

function loadStep(context: StepContext, written: StepText): Step {
  const { source, known } = context;
  const reading = readingOf(context, written);
  const { as, operation, own, text } = reading;
  const id = text.id ?? `step-${known.size + 1}`;
  if (known.has(id)) reading.fail(`another step has the id ${id}`, 'id');
  known.set(id, text);
  refuseCombinations(reading);
  const effect = stepEffect(reading);
  // With `over` or another method the answer may not be the operation's own: standing checks do not apply.
  const usual = own && text.over === undefined;
  const [forEach] = Object.entries(text.forEach ?? {});
  if (effect !== 'none') refuseReadWords(reading);
  return {
    query: {},
    headers: {},
    require: [],
    capture: {},
    ...text,
    ...(as === undefined ? {} : { as }),
    id,
    location: source.at(written),
    operation,
    path: pathOf(reading),
    plain: text.over === 'http',
    unspecified: text.unspecified === true,
    effect,
    expect: text.expect === undefined ? undefined : conditionsOf(text.expect),
    checks: checksOf(source, text),
    standing: usual ? standingChecks(operation) : [],
    observes: observesOf(source, text),
    mode: modeOf(reading),
    timing: timingOf(text),
    forEach: forEach && { name: forEach[0], list: forEach[1] },
    steps: loadSteps(context, text.steps ?? []),
  };
}

function readingOf(context: StepContext, written: StepText) {
  const text = takenOver(context, written);
  const operation = typeof text.call === 'string' ? contract.operations.get(text.call) : undefined;
  const calls = operation !== undefined || text.request !== undefined;
  const usual = operation?.method.toUpperCase();
  const method = (text.method ?? text.request?.method ?? usual ?? 'GET').toUpperCase();
  return {
    context,
    /** The text in the file. */
    written,
    /** The text with the call taken over from the step that it repeats. */
    text,
    operation,
    calls,
    /** In upper case. */
    method,
    as: text.as ?? (calls ? (context.defaults.as ?? callerOf(operation)) : undefined),
    /** Whether the step makes the operation's normal call, with its normal method. */
    own: operation !== undefined && method === usual,
    fail: (message: string, key?: string) => context.source.fail(message, written, key),
  };
}

/** The step with the call of the earlier step that `again` names. */
function takenOver({ source, known }: StepContext, step: StepText): StepText {
  if (step.again === undefined) return step;
  const earlier = known.get(step.again);
  if (earlier === undefined) {
    const near = hint(step.again, known.keys());
    return source.fail(`no step before this one is called ${step.again}${near}`, step, 'again');
  }
  const call = Object.fromEntries(
    callKeys.filter((key) => key in earlier).map((key) => [key, earlier[key]]),
  );
  if ('body' in step) delete call.rawBody;
  if ('rawBody' in step) delete call.body;
  return { ...call, ...step };
}

const waits = ['eventually', 'appears within', 'stays'] as const;

/** Words that exclude each other in a step. */
const rivals: readonly (keyof StepText)[][] = [
  ['call', 'request'],
  ['body', 'rawBody'],
  [...waits, 'repeat'],
  ['walkPages', 'scimList', 'repeat'],
];

function refuseCombinations({ text, calls, as, fail }: Reading): void {
  for (const [first, second] of rivals.map((keys) => keys.filter((key) => key in text))) {
    if (first !== undefined && second !== undefined)
      fail(`${first} and ${second} exclude each other`, second);
  }
  if ('steps' in text && !('forEach' in text)) fail('steps inside a step need a forEach');
  if ('forEach' in text && calls) fail('forEach repeats its steps or its call, but not both');
  if (!calls) {
    const needy = [...callKeys, 'repeat' as const, ...waits].find((key) => key in text);
    if (needy !== undefined) fail(`${needy} needs a call (or a request)`, needy);
  }
  const header = isObject(as) ? String(as.header ?? '{credentials}') : '{credentials}';
  const secret = as !== 'none' && /\{(credentials|steps)/.test(header);
  if (text.over === 'http' && secret)
    fail(
      'a step with `over: http` never sends a credential: write `as: none`, or a made-up header',
      'as',
    );
}

function refuseReadWords({ text, fail }: Reading): void {
  const word = [...waits, 'walkPages', 'scimList'].find((key) => key in text);
  if (word !== undefined) fail(`${word} is for reads only; this step may write`, word);
  if (text.over === 'http') fail('`over: http` is for reads only; this step may write', 'over');
}

/** The effect that the step declares; it must be at least the effect of its call. */
function stepEffect({ text, operation, method, own, fail }: Reading): Effect {
  let least: Effect = operation?.effect ?? 'none';
  if (safeMethods.includes(method)) least = 'none';
  else if (!own) {
    const listed = [...contract.operations.values()].find(
      (item) => item.path === operation?.path && item.method.toUpperCase() === method,
    );
    // The effect of an operation outside the contract is unknown, so the worst is assumed.
    least = listed?.effect ?? 'permanent';
  }
  if (text.effect === undefined) return least;
  if (worse(least, text.effect)) fail(`the effect cannot be less than ${least}`, 'effect');
  return text.effect;
}

function modeOf({ text, operation, fail }: Reading): Mode | undefined {
  const { repeat, walkPages, scimList } = text;
  if (repeat !== undefined) {
    const { times, ofRun = false } = repeat;
    return { kind: 'repeat', times, ofRun };
  }
  const options = walkPages ?? scimList;
  if (options === undefined) return undefined;
  const kind = walkPages === undefined ? 'scimList' : 'walkPages';
  const size = walkPages?.limit ?? scimList?.count;
  const list = operation?.items;
  if (list === undefined) return fail(`${kind}: the operation has no list`, kind);
  return { kind, size, key: list.key, items: `body${list.at.replaceAll('/', '.')}` };
}

function timingOf({ eventually, stays, 'appears within': appears }: StepText): Timing | undefined {
  if (appears !== undefined) {
    const within = parseDuration(appears) ?? 0;
    return { kind: 'eventually', within, every: within / 15 };
  }
  if (eventually !== undefined && eventually !== false) {
    const { within, every = '1s' } = eventually === true ? {} : eventually;
    return { kind: 'eventually', within: parseDuration(within), every: parseDuration(every) ?? 0 };
  }
  if (stays === undefined || stays === false) return undefined;
  if (stays === true) return { kind: 'throughout', for: undefined, atLeast: 0, every: 15_000 };
  if (stays === 'rested') return { kind: 'throughout', for: stays, atLeast: 0, every: 15_000 };
  if (stays === 'settled') return { kind: 'throughout', for: stays, atLeast: 0, every: 2000 };
  const span = parseDuration(stays) ?? 0;
  return { kind: 'throughout', for: undefined, atLeast: span, every: span };
}

/** Path parameters by the contract's names: exactly those that the path has. */
function pathOf({ context, written, text, operation, fail }: Reading): Step['path'] {
  const { source, defaults } = context;
  const { path = {} } = text;
  if (operation === undefined) return path;
  const wanted = pathNames(operation.id);
  const lead = `${operation.id} has no path parameter`;
  for (const name of Object.keys(path)) refuseUnknown(source, lead, name, wanted, path, name);
  const given = Object.entries(defaults.path ?? {}).filter(([name]) => wanted.includes(name));
  const merged = { ...pathBindings(operation), ...Object.fromEntries(given), ...path };
  const place = 'path' in written ? 'path' : 'call';
  for (const name of wanted) {
    if (!(name in merged)) fail(`path: ${name} is missing`, place);
  }
  source.place(merged, written, place);
  return merged;
}
