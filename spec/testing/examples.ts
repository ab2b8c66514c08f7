/** The examples of the contract's requests and responses, with the validators that they must pass. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { contractFile, type Failure, type Operation, type Schema } from '../contract.ts';

export const openapiText = readFileSync(contractFile, 'utf8');
export const document = parse(openapiText) as Record<string, unknown>;

export interface Example {
  readonly name: string;
  readonly schema: Schema;
  readonly value: unknown;
  readonly validate: (value: unknown) => readonly Failure[];
}

/** The examples of the document, with the compiled schemas. */
export function examplesOf(operation: Operation): Example[] {
  const node = at(document, ['paths', operation.path, operation.method.toLowerCase()]);
  const found: Example[] = [];
  const add = (name: string, container: unknown, schema: Schema, check: Example['validate']) => {
    for (const content of Object.values((at(container, ['content']) ?? {}) as object)) {
      for (const [key, example] of Object.entries((at(content, ['examples']) ?? {}) as object)) {
        found.push({
          name: `${name}: ${key}`,
          schema,
          value: (example as { value: unknown }).value,
          validate: check,
        });
      }
    }
  };
  if (operation.body !== null) {
    add(
      `${operation.id} request`,
      at(node, ['requestBody']),
      operation.body.schema,
      operation.body.validate,
    );
  }
  for (const [status, response] of Object.entries(operation.responses)) {
    const raw = at(node, ['responses', status]) as { $ref?: string };
    const resolved = raw.$ref === undefined ? raw : at(document, raw.$ref.slice(2).split('/'));
    add(`${operation.id} ${status}`, resolved, response.schema ?? {}, response.validate);
  }
  return found;
}

function at(node: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<string, unknown> | undefined)?.[key],
    node,
  );
}
