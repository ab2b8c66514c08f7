/**
 * The values that references can name: bindings, the run, missing objects, earlier steps, named
 * values.
 */

import type { Answer } from './answer.ts';
import { answerFields } from './answer.ts';
import { compute } from './compute.ts';
import { type Scope, Unresolved } from './template.ts';
import { type Bindings, type Claims, claimNames } from './vocabulary.ts';

export interface RunNames {
  /** Unique to the run. Every name that the run generates contains it. */
  readonly id: string;
  readonly startedAt: string;
}

/** A reserved domain that receives no mail. */
const usualMailTo = '{}@example.com';

const addressed = (mailTo: string, name: string): string => mailTo.replace('{}', () => name);

/** Names and ids that no object in a tenant has. Numbers are near the top of 32 bits. */
export function missingNames(
  runId: string,
  mailTo = usualMailTo,
): { id: number; name: string; email: string } {
  let hash = 0;
  for (const character of runId) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 100_000_000;
  return {
    id: 2_000_000_000 + hash,
    name: `lockstep-missing-${runId}`,
    email: addressed(mailTo, `lockstep-missing-${runId}`),
  };
}

/** Whether a name is generated, so that no object in a tenant has it. */
export function isMissingName(name: string): boolean {
  return name.startsWith('lockstep-missing-');
}

/** Facts about a target that are known before the first call. */
export interface Known {
  readonly kind: 'mock' | 'tenant';
  readonly bindings: Bindings;
  readonly credentials: ReadonlyMap<string, { readonly claims?: Claims | undefined }>;
}

export class ScenarioScope implements Scope {
  readonly run: RunNames;
  readonly steps = new Map<string, Answer>();
  readonly #fixed: Readonly<Record<string, unknown>>;
  readonly #values = new Map<string, { value: unknown } | { why: string }>();
  /** The answer that is being judged. */
  own: Answer | undefined;

  /**
   * `attempt` gives new names to a second attempt, and `mark` is a suffix of all names. Names of
   * missing objects do not change, because the plan has announced them.
   */
  constructor(target: Known, names: RunNames, attempt = 1, mark = '') {
    const id = attempt === 1 ? names.id : `${names.id}t${attempt}`;
    this.run = { ...names, id: `${id}${mark}` };
    const { mailTo = usualMailTo } = target.bindings.recipients ?? {};
    this.#fixed = {
      ...target.bindings,
      run: { ...this.run, target: target.kind },
      missing: missingNames(names.id, String(mailTo)),
      mail: {
        field: (name: string) => addressed(String(mailTo), `lockstep-${this.run.id}-${name}`),
      },
      actors: { field: (name: string) => claimsOf(target, name) },
    };
  }

  lookup(root: string): unknown {
    const named = this.#values.get(root);
    if (named !== undefined) {
      if ('why' in named) throw new Unresolved(root, `${root}: ${named.why}`);
      return named.value;
    }
    if (Object.hasOwn(this.#fixed, root)) return this.#fixed[root];
    if (root === 'steps') return { field: (id: string) => this.steps.get(id) };
    if (this.own !== undefined && answerFields.includes(root)) return this.own.field(root);
    return undefined;
  }

  /** Runs `judge`; meanwhile references can name the fields of this answer. */
  of<T>(answer: Answer | undefined, judge: () => T): T {
    this.own = answer;
    try {
      return judge();
    } finally {
      this.own = undefined;
    }
  }

  set(name: string, value: unknown): void {
    this.#values.set(name, { value });
  }

  /** Defines a named value. If it cannot be computed, each reference to it gives the reason. */
  define(name: string, template: unknown): void {
    try {
      this.set(name, compute(template, this));
    } catch (error) {
      if (!(error instanceof Unresolved)) throw error;
      this.#values.set(name, { why: error.message });
    }
  }
}

/** The claims about a credential. A missing claim is null, so that a condition can test it. */
function claimsOf(target: Known, name: string): Record<string, unknown> {
  const claims = target.credentials.get(name)?.claims ?? {};
  return Object.fromEntries(claimNames.map((key) => [key, claims[key] ?? null]));
}
