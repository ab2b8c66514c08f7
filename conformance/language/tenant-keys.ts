/** The keys of a tenant file, and the statements that need each key. */

import { count, ranges } from '../../spec/base/count.ts';
import { isObject, type JsonObject } from '../../spec/base/json.ts';
import { contract } from '../../spec/contract.ts';
import schema from '../tenant.schema.json' with { type: 'json' };
import type { Scenario } from './scenario.ts';
import { credentialNames } from './vocabulary.ts';

/** Turns a need of a scenario (`scoped`, `folder`, `audit.end`) into a key of the tenant file. */
export function keyOf(need: string): string {
  return `${credentialNames.includes(need) ? 'credentials' : 'bindings'}.${need}`;
}

const definitions: Readonly<Record<string, JsonObject>> = schema.$defs;

export interface Key {
  readonly key: string;
  readonly about: string;
}

/** Every key of a node and below it. A definition that several keys share is listed once, as `NAME`. */
function keysIn({ properties }: JsonObject, path: string): Key[] {
  const children = Object.entries(isObject(properties) ? properties : {});
  return children.flatMap(([name, child]) => {
    if (!isObject(child)) return [];
    const key = `${path}${name}`;
    const definition =
      String(child.$ref ?? '')
        .split('/')
        .at(-1) ?? '';
    const inner = definitions[definition] ?? child;
    const isShared =
      definition !== '' &&
      children.filter(([, other]) => isObject(other) && other.$ref === child.$ref).length > 1;
    const about = String(child.description ?? inner.description ?? '');
    return [{ key, about }, ...keysIn(inner, isShared ? `${path}NAME.` : `${key}.`)];
  });
}

/** Every key that a tenant file may have. */
export const tenantKeys = (): readonly Key[] => keysIn(schema, '');

/** The statements that no scenario tries without a key, and those that some scenarios try without it. */
export function triedWith(key: string, scenarios: readonly Scenario[]) {
  const needsIt = ({ needs }: Scenario): boolean =>
    needs.some((need) => `${keyOf(need)}.`.startsWith(`${key}.`) || `features.${need}` === key);
  const only: string[] = [];
  const more: string[] = [];
  for (const id of contract.statements.keys()) {
    const trying = scenarios.filter(({ statements }) => statements.has(id));
    if (!trying.some(needsIt)) continue;
    (trying.every(needsIt) ? only : more).push(id);
  }
  return { only, more };
}

const told = (ids: readonly string[]): string =>
  ids.length === 0 ? '' : `${count(ids.length, 'statement')}: ${ranges(ids)}`;

/** The keys as a table of Markdown. */
export function keysTable(scenarios: readonly Scenario[]): string {
  const keys = new Map(tenantKeys().map((item) => [item.key, item]));
  const rows = [...keys.values()].map(({ key, about }) => {
    const { only, more } = triedWith(key, scenarios);
    return `| \`${key}\` | ${about} | ${told(only)} | ${more.length || ''} |\n`;
  });
  const head = '| key | meaning | tried only with it | tried more with it |\n|---|---|---|--:|\n';
  return head + rows.join('');
}
