/** Reads checks and observations, and refuses what could never be judged rightly. */

import { isObject, type JsonObject } from '../../spec/base/json.ts';
import { hint } from '../../spec/base/nearest.ts';
import type { YamlSource } from '../../spec/base/yaml-source.ts';
import { contract, type Statement } from '../../spec/contract.ts';
import { formOf } from './compute.ts';
import { formatNames, matcherNames } from './matcher.ts';
import { type Check, type Conditions, facetNames, type Observe } from './scenario.ts';

const checkKeys = [...facetNames, 'atLeast', 'only', 'collateral', 'because'];

/** The checks under `checks` or `never` of a step. */
export function checksOf(source: YamlSource, step: JsonObject, key: 'checks' | 'never'): Check[] {
  const value = step[key];
  if (value === undefined) return [];
  if (!isObject(value)) return source.fail(`${key} is a mapping of statements`, step, key);
  return Object.keys(value).flatMap((id) => {
    const statement = statementOf(source, value, id);
    if (statement.level === 'silent') {
      source.fail(`${id} is a silence: nobody fails on it; write it under observe`, value, id);
    }
    const list = Array.isArray(value[id]) ? (value[id] as unknown[]) : [value[id]];
    return list.map((item, index) => {
      if (!isObject(item))
        return source.fail(`a check is a mapping of ${facetNames.join(', ')}`, value, id);
      source.known(item, checkKeys, 'a check');
      const { atLeast, only, collateral, because, ...conditions } = item;
      if (Object.keys(conditions).length === 0) source.fail('a check needs a condition', value, id);
      checkConditions(source, item, conditions);
      return {
        statement: id,
        level: statement.level,
        never: key === 'never',
        conditions,
        atLeast: numbers(source, item, atLeast),
        only: only === undefined ? undefined : conditionsOf(source, item, 'only'),
        collateral: statementList(source, item, collateral),
        because: typeof because === 'string' ? because : undefined,
        location: Array.isArray(value[id]) ? source.at(value[id], index) : source.at(value, id),
      };
    });
  });
}

/** The observations of a step. */
export function observesOf(source: YamlSource, step: JsonObject): Observe[] {
  const value = step.observe;
  if (value === undefined) return [];
  if (!isObject(value))
    return source.fail('observe is a mapping of silent statements', step, 'observe');
  return Object.keys(value).map((id) => {
    const statement = statementOf(source, value, id);
    if (statement.level !== 'silent') {
      source.fail(`${id} is ${statement.level}: it belongs under checks`, value, id);
    }
    const item = value[id];
    const location = source.at(value, id);
    if (!isObject(item) || !('cases' in item)) {
      checkComputed(source, item);
      return { statement: id, cases: {}, value: { template: item }, location };
    }
    source.known(item, ['cases', 'value', 'because'], 'an observation');
    checkComputed(source, item.value);
    const cases = item.cases;
    if (!isObject(cases)) return source.fail('cases is a mapping of choices', item, 'cases');
    const choices = [statement.assumption, ...(statement.alternatives ?? [])].flatMap((choice) =>
      choice === undefined ? [] : [choice.id],
    );
    for (const choice of Object.keys(cases)) {
      if (!choices.includes(choice)) {
        source.fail(
          `${id} has no choice ${choice}${hint(choice, choices)}; it has ${choices.join(', ')}`,
          cases,
          choice,
        );
      }
    }
    return {
      statement: id,
      cases: Object.fromEntries(
        Object.keys(cases).map((key) => [key, conditionsOf(source, cases, key)]),
      ),
      value: 'value' in item ? { template: item.value } : undefined,
      location,
    };
  });
}

/** A mapping of facets under a key. */
export function conditionsOf(source: YamlSource, parent: JsonObject, key: string): Conditions {
  const value = parent[key];
  if (!isObject(value))
    return source.fail(`${key} is a mapping of ${facetNames.join(', ')}`, parent, key);
  source.known(value, [...facetNames], key);
  checkConditions(source, value, value);
  return value;
}

const statusWords = ['1xx', '2xx', '3xx', '4xx', '5xx', 'refused'];

function checkConditions(source: YamlSource, parent: JsonObject, conditions: Conditions): void {
  for (const [facet, value] of Object.entries(conditions)) {
    if (facet === 'status') checkStatus(source, parent, value);
    else if (facet === 'jwt') {
      if (!isObject(value) || !('token' in value))
        source.fail('jwt is { token, header, payload }', parent, facet);
      else source.known(value, ['token', 'header', 'payload'], facet);
    } else if (facet === 'partition') {
      const whole =
        isObject(value) && 'of' in value && isObject(value.into) && Array.isArray(value.by);
      if (!whole)
        source.fail('partition is { of, into: { name: list }, by: [[field]] }', parent, facet);
      else source.known(value, ['of', 'into', 'by'], facet);
    } else if (facet === 'roundTrip') {
      if (isObject(value)) source.known(value, ['fields', 'at'], facet);
      else if (value !== true && !Array.isArray(value))
        source.fail('roundTrip is true, a list of fields, or { fields, at }', parent, facet);
    } else if (facet === 'same') {
      if (value !== true) source.fail('same can only be true', parent, facet);
    } else if (facet === 'that') {
      const list = Array.isArray(value) ? value : [value];
      for (const item of list) {
        if (!isObject(item) || !('value' in item) || !('is' in item))
          source.fail('that is { value, is }', parent, facet);
        else {
          source.known(item, ['value', 'is'], facet);
          checkComputed(source, item.value);
        }
      }
    }
    checkMatchers(source, value, parent, facet);
  }
}

/** Refuses words in a computed value that its form does not have. */
export function checkComputed(source: YamlSource, value: unknown): void {
  const form = formOf(value);
  if (form !== undefined && isObject(value)) {
    source.known(value, form.keys, `a value with ${form.name}`);
  }
}

/** Refuses unknown `$` words at any depth. */
function checkMatchers(
  source: YamlSource,
  value: unknown,
  parent: unknown,
  key: string | number,
): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkMatchers(source, item, value, index);
  } else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      if (name.startsWith('$') && !matcherNames.includes(name)) {
        source.fail(`there is no matcher ${name}${hint(name, matcherNames)}`, value, name);
      }
      if (name === '$format' && !formatNames.includes(String(item))) {
        source.fail(
          `there is no format ${String(item)}${hint(String(item), formatNames)}`,
          value,
          name,
        );
      }
      if (name === '$equals' || name === '$at') continue;
      checkMatchers(source, item, value, name);
    }
  } else if (value === undefined) source.fail('a value is missing', parent, key);
}

function checkStatus(source: YamlSource, parent: JsonObject, value: unknown): void {
  const list = isObject(value) ? [value.not].flat() : [value].flat();
  if (isObject(value)) source.known(value, ['not'], 'status');
  for (const item of list) {
    const number = typeof item === 'number' && (item === 0 || (item >= 100 && item < 600));
    const word = typeof item === 'string' && (statusWords.includes(item) || item.startsWith('{'));
    if (!number && !word) {
      source.fail(
        `a status is a number or one of ${statusWords.join(', ')}${hint(String(item), statusWords)}`,
        parent,
        'status',
      );
    }
  }
}

function statementOf(source: YamlSource, parent: JsonObject, id: string): Statement {
  const found = contract.statements.get(id);
  if (found === undefined) {
    return source.fail(
      `there is no statement ${id}${hint(id, contract.statements.keys())}`,
      parent,
      id,
    );
  }
  if (found.unobservable !== undefined && !lacksFeature(source.value)) {
    source.fail(`${id} is unobservable: ${found.unobservable}`, parent, id);
  }
  return found;
}

/** A tenant that lacks a feature can show what no other can. */
function lacksFeature(scenario: unknown): boolean {
  const needs = isObject(scenario) ? scenario.needs : undefined;
  return Array.isArray(needs) && needs.some((need) => String(need).startsWith('!'));
}

function statementList(source: YamlSource, parent: JsonObject, value: unknown): string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value))
    return source.fail('collateral is a list of statements', parent, 'collateral');
  for (const id of value) {
    if (!contract.statements.has(String(id))) {
      source.fail(
        `there is no statement ${String(id)}${hint(String(id), contract.statements.keys())}`,
        parent,
        'collateral',
      );
    }
  }
  return value.map(String);
}

function numbers(source: YamlSource, parent: JsonObject, value: unknown): Record<string, number> {
  if (value === undefined) return {};
  if (
    !isObject(value) ||
    !Object.values(value).every((item) => typeof item === 'number' && item >= 1)
  ) {
    return source.fail(
      'atLeast gives a number for each path: { walk.items: 3 }',
      parent,
      'atLeast',
    );
  }
  return value as Record<string, number>;
}
