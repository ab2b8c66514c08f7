/** What Ajv finds wrong with a file that a person wrote, in words that say what to write instead. */
import type { ErrorObject } from 'ajv';
import { pointerKeys } from './json.ts';

/** One thing that is wrong with a value, and where. */
export interface Problem {
  readonly path: readonly (string | number)[];
  /** The key at the end of the path is wrong, not its value. */
  readonly onKey?: boolean;
  /** `expected X: found Y` */
  readonly message: string;
}

/**
 * Needs the options `allErrors` and `verbose`. The `title` of a schema node says what is expected
 * there, where its keywords alone would not be plain enough.
 */
export function schemaProblems(errors: readonly ErrorObject[]): readonly Problem[] {
  // A failed anyOf reports its branches too; the title of the whole says it better.
  const unions = errors.filter((error) => error.keyword === 'anyOf');
  const insideUnion = (error: ErrorObject) =>
    unions.some(
      (union) => union !== error && error.schemaPath.startsWith(`${union.schemaPath}/`),
    ) ||
    unions.some(
      (union) =>
        union !== error &&
        union.instancePath !== '' &&
        error.instancePath.startsWith(union.instancePath),
    );
  const problems = errors
    .filter((error) => error.keyword !== 'if' && !insideUnion(error))
    .map(schemaProblem);
  const seen = new Set<string>();
  return problems.filter((problem) => {
    const key = JSON.stringify(problem);
    return seen.has(key) ? false : seen.add(key);
  });
}

function schemaProblem(error: ErrorObject): Problem {
  const path = pointerKeys(error.instancePath).map(keyOrIndex);
  const parameters: Record<string, unknown> = error.params;
  const node = (error.parentSchema ?? {}) as { title?: string; properties?: object };
  const found = `: found ${show(error.data)}`;
  switch (error.keyword) {
    case 'additionalProperties': {
      const key = String(parameters.additionalProperty);
      const known = Object.keys(node.properties ?? {}).join(', ');
      const message = `expected one of ${known}: found ${key}`;
      return { path: [...path, key], onKey: true, message };
    }
    case 'false schema':
      return { path, onKey: true, message: `${String(path.at(-1))} has no place here` };
    case 'required':
      return { path, message: `expected ${String(parameters.missingProperty)}` };
    case 'enum':
      return {
        path,
        message: `expected one of ${(parameters.allowedValues as string[]).join(', ')}${found}`,
      };
    case 'minItems':
      return { path, message: 'expected at least one row' };
    case 'anyOf': {
      const names = (error.schema as { required?: string[] }[]).flatMap(
        (item) => item.required ?? [],
      );
      if (path.length === 0) return { path, message: `expected ${names.join(', or ')}` };
      break;
    }
    case 'type':
      if (node.title === undefined || path.length === 0) {
        const types = [parameters.type].flat().join(' or ');
        return { path, message: `expected a value of type ${types}${found}` };
      }
      break;
  }
  return { path, message: `expected ${node.title ?? error.message ?? error.keyword}${found}` };
}

function keyOrIndex(key: string): string | number {
  return /^\d+$/.test(key) ? Number(key) : key;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
