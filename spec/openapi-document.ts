/** The OpenAPI document: follows its references, and knows the line of everything in it. */
import { atPointer, isObject, type JsonObject } from './base/json.ts';
import { YamlSource } from './base/yaml-source.ts';
import type { WrittenOperation } from './operation.generated.ts';

/** One problem with the contract: `file:line: problem; remedy`. */
export type ContractProblem = string;

/** A statement that a node rests on, and the line of the link. */
export type Link = readonly [statement: string, line: number];

export interface OperationNode {
  readonly path: string;
  readonly method: string;
  readonly node: JsonObject & WrittenOperation;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

export class OpenapiDocument {
  readonly source: YamlSource;
  readonly root: JsonObject;

  constructor(text: string) {
    this.source = new YamlSource('spec/openapi.yaml', text);
    this.root = this.source.value as JsonObject;
  }

  operations(): OperationNode[] {
    return Object.entries(this.root.paths as Record<string, JsonObject>).flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const node = item[method];
        return isObject(node) ? [{ path, method, node: node as OperationNode['node'] }] : [];
      }),
    );
  }

  /** Line of a node, or of one of its keys. */
  line(node: object, key?: string): number {
    return this.source.at(node, key).line;
  }

  /** The target of a node's reference, or the node itself. */
  follow(node: JsonObject): JsonObject {
    return typeof node.$ref === 'string' ? (this.#resolve(node.$ref) as JsonObject) : node;
  }

  /** Line of the key of a reference's target, or of the node itself. */
  lineOfTarget(node: JsonObject): number {
    if (typeof node.$ref !== 'string') return this.line(node);
    const end = node.$ref.lastIndexOf('/');
    const parent = atPointer(this.root, node.$ref.slice(1, end));
    return this.source.at(parent, node.$ref.slice(end + 1)).line;
  }

  /** Replaces each $ref by its target; keys next to a $ref override the target. */
  dereference(value: unknown, trail: readonly string[] = []): unknown {
    if (Array.isArray(value)) {
      const items = value.map((item) => this.dereference(item, trail));
      this.source.inherit(items, value);
      return items;
    }
    if (!isObject(value)) return value;
    const { $ref: reference, ...rest } = value;
    const own = Object.fromEntries(
      Object.entries(rest).map(([key, item]) => [key, this.dereference(item, trail)]),
    );
    this.source.inherit(own, value);
    if (typeof reference !== 'string') return own;
    if (trail.includes(reference)) {
      this.source.fail(`${reference} refers to itself`, value, '$ref');
    }
    const target = this.dereference(this.#resolve(reference, value), [...trail, reference]);
    const whole = { ...(target as JsonObject), ...own };
    this.source.inherit(whole, target as JsonObject, own);
    return whole;
  }

  /** The statements that a node and everything below it rest on; those of deeper nodes come later. */
  *links(value: unknown, seen = new Set<string>()): Generator<Link, void> {
    if (Array.isArray(value)) {
      for (const item of value) yield* this.links(item, seen);
    } else if (isObject(value)) {
      yield* this.ownLinks(value);
      for (const [key, item] of Object.entries(value)) {
        if (key === '$ref' && typeof item === 'string') {
          if (seen.has(item)) continue;
          seen.add(item);
          yield* this.links(this.#resolve(item), seen);
        } else if (key !== 'x-statements') {
          yield* this.links(item, seen);
        }
      }
    }
  }

  /** The statements that a node itself rests on. */
  ownLinks(node: JsonObject): Link[] {
    const list = statementsOf(node);
    return list.map((id, index) => [id, this.source.at(list, index).line]);
  }

  #resolve(reference: string, from?: JsonObject): unknown {
    if (!reference.startsWith('#/')) {
      this.source.fail(`${reference} does not point into the contract itself`, from, '$ref');
    }
    const found = atPointer(this.root, reference.slice(1));
    if (found === undefined) {
      this.source.fail(`${reference} does not resolve`, from, '$ref');
    }
    return found;
  }
}

export function statementsOf(node: JsonObject): readonly string[] {
  return (node['x-statements'] ?? []) as readonly string[];
}
