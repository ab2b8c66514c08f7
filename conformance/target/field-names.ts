/** How the fields of an answer are called in the contract. */
import { isObject } from '../../spec/base/json.ts';
import { contract, type Operation } from '../../spec/contract.ts';
import type { Aliases, NameOf } from '../language/answer.ts';

/** Undefined if each field is called as it is. */
export function namesIn(operation: Operation | undefined, aliases: Aliases): NameOf | undefined {
  const known = operation && foldedNames(operation);
  if (known === undefined && aliases.size === 0) return undefined;
  return (field) => aliases.get(field) ?? known?.get(field.toLowerCase()) ?? field;
}

const folded = new Map<Operation, ReadonlyMap<string, string>>();

/** The names of fields, by their form in lower case; undefined if the case counts in the API. */
function foldedNames(operation: Operation): ReadonlyMap<string, string> | undefined {
  if (contract.surfaces[operation.requires.surface].foldsNames !== true) return undefined;
  const found = folded.get(operation);
  if (found !== undefined) return found;
  const names = Object.values(operation.responses).flatMap(({ schema }) => fieldsOf(schema));
  const made = new Map(names.map((name) => [name.toLowerCase(), name]));
  folded.set(operation, made);
  return made;
}

/** Names of fields at every level of a schema. */
function fieldsOf(schema: unknown): string[] {
  if (!isObject(schema)) return [];
  const { properties, items } = schema;
  const fields = isObject(properties) ? Object.entries(properties) : [];
  return [...fieldsOf(items), ...fields.flatMap(([name, part]) => [name, ...fieldsOf(part)])];
}
