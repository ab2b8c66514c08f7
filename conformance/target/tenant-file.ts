/**
 * The tenant file: what a certifier tells the runner about a real tenant. Secrets never stand in
 * it, only the names of environment variables. The published JSON Schema is `tenant.schema.json`.
 */

import { Grammar } from '../../spec/base/grammar.ts';
import { isObject, type JsonObject } from '../../spec/base/json.ts';
import { YamlSource } from '../../spec/base/yaml-source.ts';
import type { credential as TenantCredential, TenantText } from '../language/tenant.generated.ts';
import type { Bindings, Feature } from '../language/vocabulary.ts';
import schema from '../tenant.schema.json' with { type: 'json' };

export interface TenantFile {
  /** What people call the tenant. */
  readonly name: string | undefined;
  readonly baseUrl: string | undefined;
  /** Path of a CA certificate, relative to the file. */
  readonly ca: string | undefined;
  readonly credentials: Readonly<Record<string, TenantCredential>>;
  readonly features: Readonly<Record<string, Feature>>;
  /** The contract's field name -> the tenant's. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly bindings: Bindings;
}

const grammar = new Grammar<TenantText>(schema);

/** Throws a LoadError with the place of what is wrong. */
export function readTenantFile(file: string, text: string): TenantFile {
  const source = new YamlSource(file, text);
  const written = grammar.check(source, source.value);
  return {
    name: written.name,
    baseUrl: written.baseUrl,
    ca: written.tls?.ca,
    credentials: written.credentials ?? {},
    features: written.features ?? {},
    aliases: written.aliases ?? {},
    bindings: completeBindings(written.bindings ?? {}),
  };
}

/** Gives each binding whose id is a whole number its `numericId`. */
export function completeBindings(bindings: JsonObject): Bindings {
  const result: Record<string, JsonObject> = {};
  for (const [name, item] of Object.entries(bindings)) {
    if (!isObject(item)) continue;
    const whole = /^\d+$/.test(String(item.id ?? ''));
    const numeric = item.numericId === undefined && whole ? { numericId: Number(item.id) } : {};
    result[name] = { ...item, ...numeric };
  }
  // Any folder shows what a nested one does, but for a move to the top.
  if (result.nestedFolder === undefined && result.folder !== undefined) {
    result.nestedFolder = result.folder;
  }
  return result;
}
