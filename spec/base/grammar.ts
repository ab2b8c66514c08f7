/**
 * A grammar is a JSON Schema. It checks the form of a file that a person wrote; the meaning is
 * checked later.
 *
 * `title` of a node names the expected value in messages, if its keywords alone are not clear
 * enough. `x-unknown` begins the message about a word that the node does not have ("there is no
 * matcher"). `x-behind` is for other code: it is the path segment before the parameter of a
 * binding.
 *
 * If a schema is `x-private`, messages do not show values of a file, because somebody may have
 * pasted a secret there.
 */

import { hash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { brief, isObject, type JsonObject, pointerKeys, pointerToken } from './json.ts';
import { hint } from './similar.ts';
import type { Problem, YamlSource } from './yaml-source.ts';

interface Schema {
  readonly $id?: string;
  readonly $defs?: Readonly<Record<string, JsonObject>>;
  readonly 'x-private'?: boolean;
}

/** It is loaded if a grammar was not compiled ahead of time. `source` keeps the code of the checks. */
export function grammarAjv(source = false): Ajv2020 {
  const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js');
  return new Ajv2020({
    strictTypes: false,
    strictRequired: false,
    allErrors: true,
    verbose: true,
    validateFormats: false,
    keywords: ['x-unknown', 'x-behind', 'x-private', 'x-refused'],
    ...(source && { code: { source, esm: true } }),
  });
}

// All grammars share it, because each instance would compile the schema of schemas again.
let ajv: Ajv2020 | undefined;

/** The whole schema, or one of its definitions; without a name, because Ajv accepts each name once. */
export function grammarSchema(schema: object, definition?: string) {
  const { $id: _name, $defs = {}, ...rules } = schema as Schema;
  const $ref = `#/$defs/${definition}`;
  return definition === undefined ? { $defs, ...rules } : { $defs, $ref };
}

export const sha256Of = (schema: object): string => hash('sha256', JSON.stringify(schema));

/** Replaces a value of a private file in messages. */
function kindWords(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return kinds[typeof value] ?? 'an object';
}

const kinds: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  number: 'a number',
  string: 'other text',
};

export class Grammar<T> {
  readonly #schema: ReturnType<typeof grammarSchema>;
  readonly #isPrivate: boolean;
  #compiled: ValidateFunction<T> | undefined;

  /**
   * For the whole schema, or for one of its definitions. A compiled check `of` another schema is
   * not used.
   */
  constructor(schema: object, definition?: string, check?: { readonly of: string }) {
    this.#schema = grammarSchema(schema, definition);
    this.#isPrivate = (schema as Schema)['x-private'] === true;
    const fits = check !== undefined && check.of === sha256Of(this.#schema);
    if (fits) this.#compiled = check as never;
  }

  /** The grammar is compiled at its first use. Throws if the schema has an error. */
  get #fits(): ValidateFunction<T> {
    if (this.#compiled === undefined) {
      ajv ??= grammarAjv();
      this.#compiled = ajv.compile<T>(this.#schema);
    }
    return this.#compiled;
  }

  /** Gives a value of a file its type, or throws the first LoadError in the order of the file. */
  check(source: YamlSource, value: unknown): T {
    const result = this.read(value);
    if ('value' in result) return result.value;
    const [first] = source.errors(result.problems, value);
    throw first ?? new Error('a value that does not fit has a problem');
  }

  /** A value with its type, or all problems with it. */
  read(value: unknown): { readonly value: T } | { readonly problems: readonly Problem[] } {
    if (this.#fits(value)) return { value };
    const errors = (this.#fits.errors ?? []).filter(({ keyword }) => keyword !== 'if');
    // A failed anyOf also reports its branches; the title of the whole is clearer.
    const unions = errors.filter(({ keyword }) => keyword === 'anyOf');
    const whole = errors.filter((error) => !unions.some((union) => isInside(error, union)));
    // A property that fails also counts as unevaluated; its own failure says more.
    const own = whole.filter(({ keyword }) => keyword !== 'unevaluatedProperties');
    const problems = (own.length > 0 ? own : whole).map((error) => this.#problem(error));
    return {
      problems: [...new Map(problems.map((item) => [JSON.stringify(item), item])).values()],
    };
  }

  /** A value with its type, or the first problem in one line. */
  readOne(value: unknown): { readonly value: T } | { readonly problem: string } {
    const read = this.read(value);
    if ('value' in read) return read;
    const [first] = read.problems;
    const place = first?.path.map(pointerToken).join('') ?? '';
    return { problem: `${place === '' ? '' : `${place}: `}${first?.message ?? 'it does not fit'}` };
  }

  #problem(error: ErrorObject): Problem {
    const path = pointerKeys(error.instancePath);
    const params: JsonObject = error.params;
    const node = (error.parentSchema ?? {}) as JsonObject;
    const word = params.additionalProperty ?? params.unevaluatedProperty;
    if (typeof word === 'string') {
      const shown = this.#isPrivate ? 'another key' : word;
      const message = this.#unknownWord(node, word, shown, this.#words(node));
      return { path: [...path, word], onKey: true, message };
    }
    const found = this.#isPrivate ? kindWords(error.data) : brief(error.data, 60, 'undefined');
    if (error.keyword === 'false schema')
      return { path, onKey: true, message: `${String(path.at(-1))} has no place here` };
    if (error.keyword === 'required')
      return { path, message: `${String(params.missingProperty)} is missing` };
    if (error.keyword === 'enum' && node.title === undefined) {
      const words = (params.allowedValues as readonly unknown[]).map(String);
      return { path, message: this.#unknownWord(node, String(error.data), found, words) };
    }
    const expected = expectedBy(error, node, path.length);
    return { path, message: `expected ${expected}: found ${found}` };
  }

  #unknownWord(node: JsonObject, word: string, shown: string, words: readonly string[]): string {
    const lead = node['x-unknown'];
    const near = hint(word, words);
    return typeof lead === 'string' && !this.#isPrivate
      ? `${lead} ${word}${near}`
      : `expected one of ${words.join(', ')}: found ${shown}${near}`;
  }

  /** The properties of a node, also those of its references. */
  #words({ $ref, properties = {} }: JsonObject): string[] {
    const definition = this.#schema.$defs[String($ref).split('/').at(-1) ?? ''];
    const inherited = definition === undefined ? [] : this.#words(definition);
    return [...inherited, ...Object.keys(properties as object)];
  }
}

function expectedBy(error: ErrorObject, { title }: JsonObject, depth: number): string {
  if (error.keyword === 'minItems' && title === undefined) return 'at least one row';
  if (error.keyword === 'anyOf' && depth === 0) {
    const choices = (error.schema as readonly unknown[]).flatMap((item) =>
      isObject(item) ? ((item.required as string[] | undefined) ?? []) : [],
    );
    return choices.join(', or ');
  }
  if (error.keyword === 'type' && (title === undefined || depth === 0))
    return `a value of type ${[error.params.type].flat().join(' or ')}`;
  return String(title ?? error.message ?? error.keyword);
}

function isInside(error: ErrorObject, union: ErrorObject): boolean {
  if (error === union) return false;
  if (error.schemaPath.startsWith(`${union.schemaPath}/`)) return true;
  return union.instancePath !== '' && error.instancePath.startsWith(union.instancePath);
}
