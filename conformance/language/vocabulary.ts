/** The words that scenario files and tenant files share, from `tenant.schema.json`. */

import type { JsonObject } from '../../spec/base/json.ts';
import { hint } from '../../spec/base/similar.ts';
import type { YamlSource } from '../../spec/base/yaml-source.ts';
import type { Effect, Operation } from '../../spec/contract.ts';
import schema from '../tenant.schema.json' with { type: 'json' };
import type { credential as Credential } from './tenant.generated.ts';

export const effects: readonly Effect[] = ['none', 'reversible', 'disruptive', 'permanent'];

/** True if the first effect is worse than the second. */
export function worse(a: Effect, b: Effect): boolean {
  return effects.indexOf(a) > effects.indexOf(b);
}

export function worst(found: readonly Effect[]): Effect {
  return found.reduce((most, next) => (worse(next, most) ? next : most), 'none');
}

const { credentials, features, bindings } = schema.properties;

export const credentialNames: readonly string[] = Object.keys(credentials.properties);

export const featureNames: readonly string[] = Object.keys(features.properties);

/**
 * The tenant file's claim about a feature. With false, the feature is not tested. With `absent`,
 * the plan lacks the feature, so the service must not serve it.
 */
export type Feature = boolean | 'absent';

/** Binding name -> fields; `numericId` is filled in if the id is a number. */
export type Bindings = Readonly<Record<string, JsonObject>>;

const definitions = new Map(
  Object.entries(schema.$defs).map(([name, item]) => [
    name,
    'properties' in item ? Object.keys(item.properties) : [],
  ]),
);

/** Bindings and the fields that scenarios may refer to. */
export const bindingFields: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(bindings.properties).map(([name, { $ref }]) => [
    name,
    definitions.get($ref.split('/').at(-1) ?? '') ?? [],
  ]),
);

/** Bindings of objects that the service must never change. */
export const refusedBindings: ReadonlySet<string> = new Set(
  Object.entries(bindings.properties).flatMap(([name, one]) => ('x-refused' in one ? [name] : [])),
);

/** Whether one of these needs is the binding or credential, or one of its fields. */
export const dependsOn = (needs: readonly string[], name: string): boolean =>
  needs.some((need) => need === name || need.startsWith(`${name}.`));

/** The tenant file's claims about a credential, without its source. */
export type Claims = Omit<Credential, 'env' | 'file' | 'command'>;

/** Scenarios may refer to these claims, and a claim may be null. */
export const claimNames: readonly (keyof Claims)[] = Object.keys(
  schema.$defs.credential.properties,
).filter((name): name is keyof Claims => !['env', 'file', 'command'].includes(name));

/** The default caller of a step: the credential of the operation's surface, or an admin. */
export function callerOf(operation: Operation | undefined): string {
  const surface = operation?.requires.surface ?? '';
  return credentialNames.includes(surface) ? surface : 'admin';
}

/** Throws a LoadError that begins with `lead` if a word is not in the list. */
export function refuseUnknown(
  source: YamlSource,
  lead: string,
  word: string,
  words: readonly string[],
  parent: unknown,
  key?: string,
): void {
  if (!words.includes(word)) source.fail(`${lead} ${word}${hint(word, words)}`, parent, key);
}

/** Path parameters that bindings fill: the parameter after the path segment that a binding declares. */
export function pathBindings({ path, parameters }: Operation): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [binding, text] of Object.entries(bindings.properties)) {
    const behind = 'x-behind' in text ? `/${text['x-behind']}/` : undefined;
    const parameter = parameters.find(({ name }) => path.includes(`${behind}{${name}}`));
    if (behind === undefined || parameter === undefined) continue;
    const field = parameter.schema.type === 'integer' ? 'numericId' : 'id';
    found[parameter.name] = `{${binding}.${field}}`;
  }
  return found;
}

/** The kind of a binding is the last word of its name: `otherDeployment` is a deployment. */
export const kindOfBinding = (binding: string): string =>
  /[A-Za-z][a-z]*$/.exec(binding)?.[0].toLowerCase() ?? '';

/**
 * The bindings that a path parameter, or a field that names an operation's object, may refer to.
 * They are all bindings of its kind, such as `folder` and `lockedFolder`. A field is named after its kind.
 */
export function bindingsOf(operation: Operation | undefined, name: string): readonly string[] {
  const own = operation && pathBindings(operation)[name];
  const kind = own === undefined ? name.replace(/(Id|Name)$/, '') : own.slice(1, own.indexOf('.'));
  return Object.keys(bindings.properties).filter((binding) =>
    binding.toLowerCase().endsWith(kind.toLowerCase()),
  );
}
