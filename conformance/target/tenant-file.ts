/**
 * The tenant file: what a certifier tells the runner about a real tenant. Secrets never stand in
 * it, only the names of environment variables. The published JSON Schema is `tenant.schema.json`.
 */

import { isObject, type JsonObject } from '../../spec/base/json.ts';
import { YamlSource } from '../../spec/base/yaml-source.ts';
import {
  type Bindings,
  bindingFields,
  type Claims,
  claimNames,
  credentialNames,
  type Feature,
  featureNames,
} from '../language/vocabulary.ts';

export interface TenantFile {
  readonly baseUrl: string | undefined;
  /** Path of a CA certificate, relative to the file. */
  readonly ca: string | undefined;
  readonly credentials: Readonly<Record<string, TenantCredential>>;
  readonly features: Readonly<Record<string, Feature>>;
  /** The contract's field name -> the tenant's. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly bindings: Bindings;
}

export interface TenantCredential extends Claims {
  /** Name of the environment variable that holds the secret. */
  readonly env: string;
}

const topKeys = ['baseUrl', 'tls', 'credentials', 'features', 'aliases', 'bindings'];
const credentialKeys = ['env', ...claimNames];

/** Throws a LoadError with the place of what is wrong. */
export function readTenantFile(file: string, text: string): TenantFile {
  const source = new YamlSource(file, text);
  const value = source.value;
  if (!isObject(value)) return source.fail('a tenant file is a mapping', value);
  source.known(value, topKeys, 'a tenant file');
  const tls = mapping(source, value, 'tls');
  source.known(tls, ['ca'], 'tls');
  const features = mapping(source, value, 'features');
  source.known(features, featureNames, 'features');
  return {
    baseUrl: typeof value.baseUrl === 'string' ? value.baseUrl : undefined,
    ca: typeof tls.ca === 'string' ? tls.ca : undefined,
    credentials: credentialsOf(source, value),
    features: featuresOf(source, features),
    aliases: Object.fromEntries(
      Object.entries(mapping(source, value, 'aliases')).map(([key, name]) => [key, String(name)]),
    ),
    bindings: bindingsOf(source, value),
  };
}

function featuresOf(source: YamlSource, features: JsonObject): Record<string, Feature> {
  const result: Record<string, Feature> = {};
  for (const [name, says] of Object.entries(features)) {
    if (says !== true && says !== false && says !== 'absent') {
      return source.fail(
        `${name} is true, false (not looked at) or absent (the plan lacks it)`,
        features,
        name,
      );
    }
    result[name] = says;
  }
  return result;
}

function credentialsOf(source: YamlSource, value: JsonObject): Record<string, TenantCredential> {
  const credentials = mapping(source, value, 'credentials');
  source.known(credentials, credentialNames, 'credentials');
  const result: Record<string, TenantCredential> = {};
  for (const [name, item] of Object.entries(credentials)) {
    if (!isObject(item)) return source.fail(`${name} is { env: NAME, ... }`, credentials, name);
    source.known(item, credentialKeys, `the credential ${name}`);
    if (typeof item.env !== 'string' || !/^[A-Za-z_]\w*$/.test(item.env)) {
      source.fail(
        `${name}.env is the name of an environment variable, never the secret`,
        item,
        'env',
      );
    }
    result[name] = item as unknown as TenantCredential;
  }
  return result;
}

function bindingsOf(source: YamlSource, value: JsonObject): Bindings {
  const bindings = mapping(source, value, 'bindings');
  source.known(bindings, Object.keys(bindingFields), 'bindings');
  for (const [name, item] of Object.entries(bindings)) {
    if (!isObject(item)) return source.fail(`${name} is a mapping`, bindings, name);
    source.known(item, bindingFields[name] ?? [], `the binding ${name}`);
  }
  return completeBindings(bindings);
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

function mapping(source: YamlSource, value: JsonObject, key: string): JsonObject {
  const found = value[key];
  if (found === undefined || found === null) return {};
  if (!isObject(found)) return source.fail(`${key} is a mapping`, value, key);
  return found;
}
