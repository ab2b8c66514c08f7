/** Reads the steps of a scenario file. */

import { parseDuration } from '../../spec/base/duration.ts';
import { isObject, type JsonObject } from '../../spec/base/json.ts';
import { hint } from '../../spec/base/nearest.ts';
import type { YamlSource } from '../../spec/base/yaml-source.ts';
import { contract, type Effect, type Operation, type OperationId } from '../../spec/contract.ts';
import { checksOf, conditionsOf, observesOf } from './load-check.ts';
import type { Mode, Step, Timing } from './scenario.ts';
import { effects, worse } from './vocabulary.ts';

export interface StepContext {
  readonly source: YamlSource;
  readonly ids: Set<string>;
  readonly count: { value: number };
}

/** What only a step that calls can have. */
const callKeys = [
  'as',
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
  'repeat',
  'eventually',
  'throughout',
];
const stepKeys = [
  ...callKeys,
  'id',
  'about',
  'call',
  'request',
  'require',
  'expect',
  'capture',
  'checks',
  'never',
  'observe',
  'forEach',
  'steps',
];
const safeMethods = ['GET', 'HEAD', 'OPTIONS'];

export function loadSteps(context: StepContext, value: unknown): Step[] {
  if (!Array.isArray(value)) return context.source.fail('steps are a list', value);
  return value.map((item, index) => loadStep(context, item, value, index));
}

function loadStep(context: StepContext, value: unknown, parent: unknown, index: number): Step {
  const { source } = context;
  context.count.value++;
  if (!isObject(value)) return source.fail('a step is a mapping', parent, index);
  source.known(value, stepKeys, 'a step');
  const id = value.id === undefined ? `step-${context.count.value}` : String(value.id);
  if (!/^[a-zA-Z][\w-]*$/.test(id)) source.fail('an id is letters, digits, - and _', value, 'id');
  if (context.ids.has(id)) source.fail(`another step has the id ${id}`, value, 'id');
  context.ids.add(id);
  const operation = operationOf(source, value);
  const request = requestOf(source, value);
  if (operation === undefined && request === undefined) {
    for (const key of callKeys) {
      if (key in value) source.fail(`${key} needs a call (or a request)`, value, key);
    }
  } else if (value.as === undefined) {
    source.fail('as: who calls is missing (a credential, or none)', value);
  }
  const plain = plainOf(source, value);
  const step: Step = {
    id,
    location: source.at(parent, index),
    as: value.as,
    operation,
    request,
    path: mapping(source, value, 'path'),
    query: mapping(source, value, 'query'),
    headers: mapping(source, value, 'headers'),
    body: 'body' in value ? { value: value.body } : undefined,
    rawBody: typeof value.rawBody === 'string' ? value.rawBody : undefined,
    method: typeof value.method === 'string' ? value.method.toUpperCase() : undefined,
    suffix: typeof value.suffix === 'string' ? value.suffix : '',
    plain,
    effect: stepEffect(source, value, operation, request?.method),
    require: requireOf(source, value),
    expect: value.expect === undefined ? undefined : conditionsOf(source, value, 'expect'),
    capture: mapping(source, value, 'capture'),
    checks: [...checksOf(source, value, 'checks'), ...checksOf(source, value, 'never')],
    observes: observesOf(source, value),
    mode: modeOf(source, value, operation),
    timing: timingOf(source, value),
    forEach: forEachOf(source, value),
    steps: value.steps === undefined ? [] : loadSteps(context, value.steps),
  };
  if ((step.forEach === undefined) !== (value.steps === undefined)) {
    source.fail('forEach and steps come together', value);
  }
  if (step.forEach !== undefined && (operation !== undefined || request !== undefined)) {
    source.fail('a step with forEach makes no call of its own', value);
  }
  refuseCombinations(source, value, step);
  pathParameters(source, value, step);
  return step;
}

function refuseCombinations(source: YamlSource, value: JsonObject, step: Step): void {
  if (step.effect !== 'none') {
    for (const key of ['eventually', 'throughout', 'walkPages', 'scimList']) {
      if (key in value) source.fail(`${key} is for reads only; this step may write`, value, key);
    }
    if (step.plain) source.fail('over: http is for reads only', value, 'over');
  }
  if ('body' in value && 'rawBody' in value)
    source.fail('body and rawBody exclude each other', value, 'rawBody');
  if ('eventually' in value && 'throughout' in value) {
    source.fail('eventually and throughout exclude each other', value, 'throughout');
  }
  if ('repeat' in value && step.timing !== undefined)
    source.fail('repeat does not wait', value, 'repeat');
}

function operationOf(source: YamlSource, value: JsonObject): Operation | undefined {
  if (value.call === undefined) return undefined;
  if (value.request !== undefined)
    source.fail('call and request exclude each other', value, 'request');
  const found = contract.operations.get(value.call as OperationId);
  if (found === undefined) {
    const near = hint(String(value.call), contract.operations.keys());
    source.fail(`there is no operation ${String(value.call)}${near}`, value, 'call');
  }
  return found;
}

function requestOf(source: YamlSource, value: JsonObject): Step['request'] {
  if (value.request === undefined) return undefined;
  const request = value.request;
  if (
    !isObject(request) ||
    typeof request.method !== 'string' ||
    typeof request.path !== 'string'
  ) {
    return source.fail('request is { method, path }', value, 'request');
  }
  source.known(request, ['method', 'path'], 'request');
  return { method: request.method.toUpperCase(), path: request.path };
}

function plainOf(source: YamlSource, value: JsonObject): boolean {
  if (value.over === undefined) return false;
  if (value.over !== 'http') source.fail('over can only be http', value, 'over');
  const header = isObject(value.as) ? value.as.header : undefined;
  const made =
    typeof header === 'string' && !header.includes('{credentials') && !header.includes('{steps');
  if (value.as !== 'none' && !made) {
    source.fail('over: http never sends a credential; as: none, or a made-up header', value, 'as');
  }
  return true;
}

function stepEffect(
  source: YamlSource,
  value: JsonObject,
  operation: Operation | undefined,
  requestMethod: string | undefined,
): Effect {
  const declared = effects.find((item) => item === value.effect);
  if (value.effect !== undefined && declared === undefined) {
    source.fail(
      `effect is one of ${effects.join(', ')}${hint(String(value.effect), effects)}`,
      value,
      'effect',
    );
  }
  const method = String(value.method ?? requestMethod ?? operation?.method ?? 'GET').toUpperCase();
  let least: Effect = operation?.effect ?? 'none';
  if (safeMethods.includes(method)) least = 'none';
  else if (operation === undefined || method !== operation.method.toUpperCase()) {
    const listed = operation === undefined ? undefined : operationAt(method, operation.path);
    least = listed?.effect ?? 'disruptive';
    if (declared === undefined) {
      source.fail(`${method} could change anything here: give the step an effect`, value);
    }
  }
  if (declared === undefined) return least;
  if (worse(least, declared))
    source.fail(`the effect cannot be less than ${least}`, value, 'effect');
  return declared;
}

function operationAt(method: string, path: string): Operation | undefined {
  return [...contract.operations.values()].find(
    (item) => item.path === path && item.method.toUpperCase() === method,
  );
}

function mapping(source: YamlSource, value: JsonObject, key: string): JsonObject {
  const found = value[key];
  if (found === undefined) return {};
  if (!isObject(found)) return source.fail(`${key} is a mapping`, value, key);
  return found;
}

function requireOf(source: YamlSource, value: JsonObject): Step['require'] {
  if (value.require === undefined) return [];
  const list = value.require;
  if (!Array.isArray(list)) return source.fail('require is a list', value, 'require');
  return list.map((item, index) => {
    if (!isObject(item) || !('value' in item) || !('is' in item) || typeof item.else !== 'string') {
      return source.fail(
        'a condition is { value, is, else: what is wrong where it fails }',
        list,
        index,
      );
    }
    source.known(item, ['value', 'is', 'else'], 'a condition');
    return { value: item.value, is: item.is, else: item.else };
  });
}

function modeOf(
  source: YamlSource,
  value: JsonObject,
  operation: Operation | undefined,
): Mode | undefined {
  const named = (['walkPages', 'scimList', 'repeat'] as const).filter((key) => key in value);
  const [kind, second] = named;
  if (kind === undefined) return undefined;
  if (second !== undefined) source.fail(`${kind} and ${second} exclude each other`, value, second);
  const options = value[kind];
  if (!isObject(options)) return source.fail(`${kind} is a mapping`, value, kind);
  if (kind === 'repeat') {
    source.known(options, ['times'], kind);
    const times = Number(options.times);
    if (!Number.isInteger(times) || times < 2)
      source.fail('times is a whole number of at least 2', options, 'times');
    return { kind, times };
  }
  const sizeKey = kind === 'walkPages' ? 'limit' : 'count';
  source.known(options, [sizeKey, 'key', 'items'], kind);
  const list = operation?.items;
  const items = options.items ?? (list && `body${list.at.replaceAll('/', '.')}`);
  if (typeof items !== 'string')
    return source.fail(`${kind}: where are the items? (items: body.data)`, value, kind);
  return { kind, size: options[sizeKey], key: String(options.key ?? list?.key ?? 'id'), items };
}

function timingOf(source: YamlSource, value: JsonObject): Timing | undefined {
  const duration = (options: JsonObject, key: string): number | undefined => {
    if (options[key] === undefined) return undefined;
    const millis = parseDuration(options[key]);
    if (millis === undefined) source.fail(`${key} is a span such as 30s or 500ms`, options, key);
    return millis;
  };
  if (value.eventually !== undefined) {
    const options = value.eventually === true ? {} : value.eventually;
    if (!isObject(options))
      return source.fail('eventually is { within, every, stableFor } or true', value, 'eventually');
    source.known(options, ['within', 'every', 'stableFor'], 'eventually');
    return {
      kind: 'eventually',
      within: duration(options, 'within'),
      every: duration(options, 'every') ?? 1000,
      stableFor: duration(options, 'stableFor') ?? 0,
    };
  }
  if (value.throughout === undefined) return undefined;
  const options = value.throughout === true ? {} : value.throughout;
  if (!isObject(options))
    return source.fail('throughout is { for, atLeast, every } or true', value, 'throughout');
  source.known(options, ['for', 'atLeast', 'every'], 'throughout');
  return {
    kind: 'throughout',
    for: options.for === 'settled' ? 'settled' : duration(options, 'for'),
    atLeast: duration(options, 'atLeast') ?? 0,
    every: duration(options, 'every') ?? 1000,
  };
}

function forEachOf(source: YamlSource, value: JsonObject): Step['forEach'] {
  if (value.forEach === undefined) return undefined;
  const entries = isObject(value.forEach) ? Object.entries(value.forEach) : [];
  const [first] = entries;
  if (first === undefined || entries.length > 1) {
    return source.fail('forEach names one variable and its list', value, 'forEach');
  }
  return { name: first[0], list: first[1] };
}

/** Path parameters as the contract names them: each that the path has, and no other. */
function pathParameters(source: YamlSource, value: JsonObject, step: Step): void {
  if (step.operation === undefined) return;
  const wanted = step.operation.parameters
    .filter((item) => item.in === 'path')
    .map((item) => item.name);
  for (const name of wanted) {
    if (!(name in step.path))
      source.fail(`path: ${name} is missing`, value, 'path' in value ? 'path' : 'call');
  }
  for (const name of Object.keys(step.path)) {
    if (!wanted.includes(name)) {
      source.fail(
        `${step.operation.id} has no path parameter ${name}${hint(name, wanted)}`,
        step.path,
        name,
      );
    }
  }
}
