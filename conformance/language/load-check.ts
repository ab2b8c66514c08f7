/** Reads checks and observations, and refuses those that could never be judged correctly. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isObject } from '../../spec/base/json.ts';
import { hint } from '../../spec/base/similar.ts';
import { YamlSource } from '../../spec/base/yaml-source.ts';
import {
  choicesOf,
  contract,
  isCustomName,
  type Operation,
  type Statement,
} from '../../spec/contract.ts';
import {
  type Check,
  type CheckText,
  type Conditions,
  type ConditionsText,
  type Observe,
  type StepText,
  standingGrammar,
} from './scenario.ts';

/** The source of scenarios that a program makes, which have no file. */
export const noFile: YamlSource = new YamlSource('explore', '');

export function checksOf(source: YamlSource, step: StepText): Check[] {
  const { checks = {} } = step;
  return Object.entries(checks).flatMap(([id, value]) => {
    const several = Array.isArray(value);
    const list: readonly CheckText[] = several ? value : [value];
    return list.map((item, index) => {
      const check = checkOf(source, id, item, { parent: checks, key: id });
      const only = step.only === undefined ? check.only : [conditionsOf(step.only), ...check.only];
      const location = several ? source.at(value, index) : check.location;
      const atLeast = { ...step.atLeast, ...check.atLeast };
      return { ...check, only, atLeast, location };
    });
  });
}

/** One check; `place` leads to the name of its statement. */
function checkOf(
  source: YamlSource,
  id: string,
  text: CheckText,
  { parent, key }: { readonly parent: object; readonly key: string },
): Check {
  // A statement of a custom file counts as a promise.
  const level = isCustomName(id) ? 'documented' : statementOf(source, parent, id, key).level;
  if (level === 'silent') {
    source.fail(`${id} is a silence: nobody fails on it; write it under observe`, parent, key);
  }
  const check = typeof text === 'object' ? text : { status: text };
  const { atLeast = {}, only, because, ...conditions } = check;
  if (Object.keys(conditions).length === 0) source.fail('a check needs a condition', parent, key);
  return {
    statement: id,
    level,
    conditions,
    atLeast,
    only: only === undefined ? [] : [conditionsOf(only)],
    because,
    location: source.at(parent, key),
  };
}

export function observesOf(source: YamlSource, { observe = {} }: StepText): Observe[] {
  return Object.entries(observe).map(([id, item]) => {
    const found = statementOf(source, observe, id);
    if (found.level !== 'silent') {
      source.fail(`${id} is ${found.level}: it belongs under checks`, observe, id);
    }
    const location = source.at(observe, id);
    if (!isObject(item) || !isObject(item.cases)) {
      return { statement: id, cases: {}, value: item, location };
    }
    const { cases } = item;
    const choices = choicesOf(found).map(({ id }) => id);
    for (const choice of Object.keys(cases)) {
      if (choices.includes(choice)) continue;
      const near = `${hint(choice, choices)}; it has ${choices.join(', ')}`;
      source.fail(`${id} has no choice ${choice}${near}`, cases, choice);
    }
    // If all choices are statuses, the status is recorded as well.
    const byStatus = Object.values(cases).every((value) => !isObject(value));
    return {
      statement: id,
      cases: Object.fromEntries(
        Object.entries(cases).map(([key, value]) => [key, conditionsOf(value as ConditionsText)]),
      ),
      value: item.value ?? (byStatus ? '{status}' : undefined),
      location,
    };
  });
}

const files = new Map<string, readonly Check[]>();

/** The checks of every answer of an operation; without an operation, all standing checks. */
export const standingChecks = (operation?: Operation): readonly Check[] =>
  checksIn('standing.yaml', operation);

/** Standing checks that need no scenario, so that they can judge any traffic. */
export const watchedChecks = (operation: Operation): readonly Check[] =>
  checksIn('watched.yaml', operation);

function checksIn(file: string, operation: Operation | undefined): readonly Check[] {
  const standing = files.get(file) ?? readStanding(file);
  files.set(file, standing);
  if (operation === undefined) return standing;
  return standing.filter(({ statement }) =>
    contract.statements.get(statement)?.operations.includes(operation.id),
  );
}

/** Throws a LoadError. */
function readStanding(file: string): readonly Check[] {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
  const source = new YamlSource(`conformance/${file}`, readFileSync(path, 'utf8'));
  return standingGrammar.check(source, source.value).map((item) => {
    const { statement, ...text } = item;
    return checkOf(source, statement, text, { parent: item, key: 'statement' });
  });
}

export function conditionsOf(text: ConditionsText): Conditions {
  return typeof text === 'object' ? text : { status: text };
}

function statementOf(source: YamlSource, parent: object, id: string, key: string = id): Statement {
  const found = contract.statements.get(id);
  if (found === undefined) {
    const near = hint(id, contract.statements.keys()) || '; statements of your own begin with X-';
    return source.fail(`there is no statement ${id}${near}`, parent, key);
  }
  if (found.unobservable === undefined || key !== id) return found;
  // Some checks need a tenant without a feature.
  const needs = isObject(source.value) ? [source.value.needs].flat() : [];
  if (needs.some((need) => String(need).startsWith('!'))) return found;
  return source.fail(`${id} is unobservable: ${found.unobservable}`, parent, id);
}
