/**
 * A real tenant as a target: a tenant file, secrets from the environment, the wall's clock. In the file a
 * certifier describes the tenant. It never holds secrets, only the names of environment variables. The
 * published JSON Schema is `tenant.schema.json`.
 */

import { Grammar } from '../../spec/base/grammar.ts';
import { isObject, type JsonObject } from '../../spec/base/json.ts';
import { type Problem, YamlSource } from '../../spec/base/yaml-source.ts';
import type { TenantText } from '../language/tenant.generated.ts';
import { type Bindings, kindOfBinding } from '../language/vocabulary.ts';
import schema from '../tenant.schema.json' with { type: 'json' };
import { inHeader } from './secrets.ts';
import { sleep, type Target, type Transport } from './target.ts';

export type TenantFile = Omit<TenantText, 'bindings'> & { readonly bindings: Bindings };

const grammar = new Grammar<TenantText>(schema);

/** Throws a LoadError with the place of an error, but without its text: that may be a secret. */
export function readTenantFile(file: string, text: string): TenantFile {
  const source = new YamlSource(file, text, { isPrivate: true });
  const read = grammar.read(source.value);
  if ('problems' in read) {
    const [first] = source.errors(read.problems.map(keyed));
    throw first ?? new Error('a file that does not fit has a problem');
  }
  return { ...read.value, bindings: completeBindings(read.value.bindings ?? {}) };
}

/** Adds the key, which may be a secret only in `aliases`. */
function keyed({ path, onKey = false, message }: Problem): Problem {
  const keys = onKey ? path.slice(0, -1) : path;
  if (keys.length === 0 || keys[0] === 'aliases') return { path, onKey, message };
  return { path, onKey, message: `${keys.join('.')}: ${message}` };
}

/** Gives each binding whose id is a whole number its `numericId`. The id of a deployment is a string (DEPL-4). */
export function completeBindings(bindings: JsonObject): Bindings {
  const result: Record<string, JsonObject> = {};
  for (const [name, item] of Object.entries(bindings)) {
    if (!isObject(item)) continue;
    const whole = /^\d+$/.test(String(item.id ?? ''));
    const numeric = item.numericId === undefined && whole ? { numericId: Number(item.id) } : {};
    const isText = item.id !== undefined && kindOfBinding(name) === 'deployment';
    result[name] = { ...item, ...(isText && { id: String(item.id) }), ...numeric };
  }
  // Any folder can replace nestedFolder in a check, except in checks of a move to the top.
  if (result.nestedFolder === undefined && result.folder !== undefined) {
    result.nestedFolder = result.folder;
  }
  return result;
}

/**
 * `given`: the secrets from files and commands, by the name of the credential. `missing`: the credentials
 * whose environment variable is not set. A check that needs one is not-testable.
 */
export function tenantTarget(
  baseUrl: string,
  file: TenantFile | undefined,
  env: Readonly<Record<string, string | undefined>>,
  send: Transport,
  close: () => Promise<void>,
  given: ReadonlyMap<string, string> = new Map(),
) {
  const missing: string[] = [];
  const variables: Record<string, string> = {};
  const credentials: Target['credentials'] = new Map(
    Object.entries(file?.credentials ?? {}).flatMap(([name, written]) => {
      const { env: variable = '', file: _file, command: _command, ...claims } = written;
      // `constructor` is a name that every object has.
      const ofVariable = Object.hasOwn(env, variable) ? env[variable] : undefined;
      const secret = given.get(name) ?? ofVariable;
      if (secret === undefined || secret === '') {
        missing.push(name);
        return [];
      }
      if (!given.has(name)) variables[name] = variable;
      const place = `credentials.${name}: the value of its variable`;
      return [[name, { secret: inHeader(secret, place), claims }] as const];
    }),
  );
  const target: Target = {
    kind: 'tenant',
    baseUrl: baseUrl.replace(/(?<!\/)\/+$/, ''),
    name: file?.name,
    transport: send,
    credentials,
    variables,
    bindings: file?.bindings ?? {},
    features: file?.features ?? {},
    aliases: new Map(Object.entries(file?.aliases ?? {}).map(([ours, theirs]) => [theirs, ours])),
    wait: sleep,
    close,
  };
  return { target, missing };
}
