/** Reads the steps of a scenario file. */

import { parseDuration } from '../../spec/base/duration.ts';
import { isObject } from '../../spec/base/json.ts';
import { hint } from '../../spec/base/similar.ts';
import type { YamlSource } from '../../spec/base/yaml-source.ts';
import { contract, type Effect, type Operation } from '../../spec/contract.ts';
import { checksOf, conditionsOf, noFile, observesOf } from './load-check.ts';
import { type Check, type Mode, type Step, safeMethods, type Timing } from './scenario.ts';
import type { ScenarioText, StepText, WatchText } from './scenario-text.ts';
import { standingChecks } from './standing.ts';
import { worse } from './vocabulary.ts';

/** What the steps of a file share while they are read. */
export interface StepContext {
  readonly source: YamlSource;
  readonly defaults: Pick<ScenarioText, 'as' | 'path'>;
  /** The steps read so far, with what each took over from others. */
  readonly known: Map<string, StepText>;
}

/** What `again` takes over. */
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
  'suffix',
  'over',
  'effect',
  'walkPages',
  'scimList',
  'list',
];

export function loadSteps(context: StepContext, steps: readonly StepText[]): Step[] {
  return steps.map((_, index) => loadStep(context, steps, index));
}

/** One step that stands in no file. */
export function stepFrom(text: StepText): Step {
  return loadStep({ source: noFile, defaults: {}, known: new Map() }, [text], 0);
}

function loadStep(context: StepContext, parent: readonly StepText[], index: number): Step {
  const { source, known } = context;
  const written = parent[index] ?? {};
  const text = takenOver(context, written);
  const id = text.id ?? `step-${known.size + 1}`;
  if (known.has(id)) source.fail(`another step has the id ${id}`, written, 'id');
  known.set(id, text);
  const operation = text.call === undefined ? undefined : contract.operations.get(text.call);
  const calls = operation !== undefined || text.request !== undefined;
  const as = text.as ?? (calls ? context.defaults.as : undefined);
  refuseCombinations(source, written, text, calls, as);
  const effect = stepEffect(source, written, text, operation);
  if (effect !== 'none') refuseReadWords(source, written, text);
  return {
    query: {},
    headers: {},
    suffix: '',
    require: [],
    capture: {},
    ...text,
    ...(as === undefined ? {} : { as }),
    id,
    location: source.at(parent, index),
    operation,
    path: pathOf(context, written, text, operation),
    plain: text.over === 'http',
    effect,
    expect: text.expect === undefined ? undefined : conditionsOf(text.expect),
    checks: checksOf(source, text),
    standing: standingOf(text, operation),
    observes: observesOf(source, text),
    mode: modeOf(source, written, text, operation),
    timing: timingOf(text),
    forEach: forEachOf(text),
    steps: loadSteps(context, text.steps ?? []),
  };
}

/** The step with the call of the earlier step that it makes again. */
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

function refuseCombinations(
  source: YamlSource,
  written: StepText,
  text: StepText,
  calls: boolean,
  as: unknown,
): void {
  const pairs: readonly (keyof StepText)[][] = [
    ['call', 'request'],
    ['body', 'rawBody'],
    ['eventually', 'appears within', 'stays', 'repeat'],
    ['walkPages', 'scimList', 'repeat'],
  ];
  for (const [first, second] of pairs.map((keys) => keys.filter((key) => key in text))) {
    if (first !== undefined && second !== undefined)
      source.fail(`${first} and ${second} exclude each other`, written, second);
  }
  if ('forEach' in text !== 'steps' in text)
    source.fail('forEach and steps come together', written);
  if ('forEach' in text && calls)
    source.fail('a step with forEach makes no call of its own', written);
  if (calls && as === undefined)
    source.fail('as: who calls is missing (a credential, or none)', written);
  if (!calls) {
    const waits = ['repeat', 'eventually', 'appears within', 'stays'] as const;
    const needy = [...callKeys, ...waits].find((key) => key in text);
    if (needy !== undefined) source.fail(`${needy} needs a call (or a request)`, written, needy);
  }
  const header = isObject(as) ? String(as.header ?? '{credentials}') : '{credentials}';
  const secret = as !== 'none' && /\{(credentials|steps)/.test(header);
  if (text.over === 'http' && secret) {
    const why = 'over: http never sends a credential; as: none, or a made-up header';
    source.fail(why, written, 'as');
  }
}

function refuseReadWords(source: YamlSource, written: StepText, text: StepText): void {
  const words = ['eventually', 'appears within', 'stays', 'walkPages', 'scimList'];
  const word = words.find((key) => key in text);
  if (word !== undefined)
    source.fail(`${word} is for reads only; this step may write`, written, word);
  if (text.over === 'http') source.fail('over: http is for reads only', written, 'over');
}

/** The effect that the step says, at least that of what it could do. */
function stepEffect(
  source: YamlSource,
  written: StepText,
  text: StepText,
  operation: Operation | undefined,
): Effect {
  const method = String(
    text.method ?? text.request?.method ?? operation?.method ?? 'GET',
  ).toUpperCase();
  let least: Effect = operation?.effect ?? 'none';
  if (safeMethods.includes(method)) least = 'none';
  else if (operation === undefined || method !== operation.method.toUpperCase()) {
    const listed = [...contract.operations.values()].find(
      (item) => item.path === operation?.path && item.method.toUpperCase() === method,
    );
    least = listed?.effect ?? 'disruptive';
    if (text.effect === undefined) {
      source.fail(`${method} could change anything here: give the step an effect`, written);
    }
  }
  if (text.effect === undefined) return least;
  if (worse(least, text.effect))
    source.fail(`the effect cannot be less than ${least}`, written, 'effect');
  return text.effect;
}

function modeOf(
  source: YamlSource,
  written: StepText,
  text: StepText,
  operation: Operation | undefined,
): Mode | undefined {
  if (text.repeat !== undefined) return { kind: 'repeat', times: text.repeat.times };
  const kind = text.walkPages === undefined ? 'scimList' : 'walkPages';
  const options = text[kind];
  if (options === undefined) return undefined;
  const [size, other] =
    kind === 'walkPages' ? (['limit', 'count'] as const) : (['count', 'limit'] as const);
  if (other in options)
    source.fail(`${kind} has no key ${other}${hint(other, [size])}`, options, other);
  const list = operation?.items;
  const items = options.items ?? (list && `body${list.at.replaceAll('/', '.')}`);
  if (items === undefined)
    return source.fail(`${kind}: where are the items? (items: body.data)`, written, kind);
  return { kind, size: options[size], key: options.key ?? list?.key ?? 'id', items };
}

function timingOf(text: StepText): Timing | undefined {
  const { eventually, stays } = text;
  const appears = parseDuration(text['appears within']);
  if (appears !== undefined) {
    return { kind: 'eventually', within: appears, every: appears / 15, stableFor: 0 };
  }
  if (typeof eventually === 'object') {
    const { within, every, stableFor } = eventually;
    return {
      kind: 'eventually',
      within: parseDuration(within),
      every: parseDuration(every) ?? 1000,
      stableFor: parseDuration(stableFor) ?? 0,
    };
  }
  if (eventually === true)
    return { kind: 'eventually', within: undefined, every: 1000, stableFor: 0 };
  return stays === undefined || stays === false ? undefined : watchOf(stays);
}

function watchOf(text: Exclude<WatchText, false>): Timing {
  const base = { kind: 'throughout' as const, for: undefined, atLeast: 0 };
  if (text === true) return { ...base, every: 15_000 };
  if (text === 'settled') return { ...base, for: 'settled', every: 2000 };
  if (typeof text === 'string') {
    const span = parseDuration(text) ?? 0;
    return { ...base, atLeast: span, every: span };
  }
  return {
    ...base,
    for: text.for === 'settled' ? 'settled' : parseDuration(text.for),
    atLeast: parseDuration(text.atLeast) ?? 0,
    every: parseDuration(text.every) ?? 1000,
  };
}

/** An answer that need not be the operation's own, such as that of another method, has none. */
function standingOf(text: StepText, operation: Operation | undefined): readonly Check[] {
  const method = text.method?.toUpperCase() ?? operation?.method.toUpperCase();
  const own = method === operation?.method.toUpperCase() && text.suffix === undefined;
  return operation !== undefined && own && text.over === undefined ? standingChecks(operation) : [];
}

function forEachOf({ forEach = {} }: StepText): Step['forEach'] {
  const [first] = Object.entries(forEach);
  return first === undefined ? undefined : { name: first[0], list: first[1] };
}

/** Path parameters as the contract names them: each that the path has, and no other. */
function pathOf(
  { source, defaults }: StepContext,
  written: StepText,
  { path = {} }: StepText,
  operation: Operation | undefined,
): Step['path'] {
  if (operation === undefined) return path;
  const wanted = operation.parameters.filter((item) => item.in === 'path').map(({ name }) => name);
  for (const name of Object.keys(path)) {
    if (wanted.includes(name)) continue;
    source.fail(`${operation.id} has no path parameter ${name}${hint(name, wanted)}`, path, name);
  }
  const given = Object.entries(defaults.path ?? {}).filter(([name]) => wanted.includes(name));
  const merged = { ...Object.fromEntries(given), ...path };
  const place = 'path' in written ? 'path' : 'call';
  for (const name of wanted) {
    if (!(name in merged)) source.fail(`path: ${name} is missing`, written, place);
  }
  source.place(merged, written, place);
  return merged;
}
