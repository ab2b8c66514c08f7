/**
 * The guard in the client: a write passes only if the plan holds it, letter by letter. What is a
 * write is read from the request itself, never from what the scenario calls it.
 */

import { canonical, isObject } from '../../spec/base/json.ts';
import type { Operation } from '../../spec/contract.ts';
import { operationAt } from './contract-check.ts';

/** Raised before anything is sent. The run ends with exit code 5. */
export class Unsafe extends Error {}

/** What a write is done to: an operation and the object that path and body name. */
export interface WriteTarget {
  readonly key: string;
  readonly operation: Operation | undefined;
  readonly parameters: Readonly<Record<string, string>>;
  readonly branch: { readonly name?: string; readonly id?: string };
}

const safeMethods = ['GET', 'HEAD', 'OPTIONS'];

/** Undefined for a request that cannot write. `path` is without the base and the query. */
export function writeTarget(method: string, path: string, body: unknown): WriteTarget | undefined {
  if (safeMethods.includes(method)) return undefined;
  const found = operationAt(method, path);
  if (found === undefined) {
    return { key: `${method} ${path}`, operation: undefined, parameters: {}, branch: {} };
  }
  const { operation, parameters } = found;
  const branch: { name?: string; id?: string } = {};
  if (operation.id === 'setStagingEnvironment' && isObject(body)) {
    if (body.branchName !== undefined) branch.name = String(body.branchName);
    if (body.branchId !== undefined) branch.id = String(body.branchId);
  }
  return { key: canonical([operation.id, parameters, branch]), operation, parameters, branch };
}

export interface RecipientRules {
  /** The binding `recipients`. */
  readonly agreed: readonly unknown[];
  /** Texts that mark a recipient as made by this run, or as nobody's. */
  readonly marks: readonly string[];
}

export class Guard {
  readonly #permits = new Set<string>();
  readonly #recipients: RecipientRules;
  readonly #learned: unknown[] = [];

  constructor(recipients: RecipientRules) {
    this.#recipients = recipients;
  }

  permit(target: WriteTarget): void {
    this.#permits.add(target.key);
  }

  /** Whoever an answer reports as a recipient is one already, and may be named again. */
  learnRecipients(answer: unknown): void {
    if (!isObject(answer)) return;
    for (const list of Object.values(answer)) {
      for (const item of Array.isArray(list) ? list : []) {
        if (isObject(item)) this.#learned.push(item);
      }
    }
  }

  /** Throws Unsafe for a write that the plan does not hold. */
  check(method: string, path: string, body: unknown): void {
    const target = writeTarget(method, path, body);
    if (target === undefined) return;
    if (!this.#permits.has(target.key)) {
      throw new Unsafe(`${method} ${path} is not in the plan of this run`);
    }
    if (target.operation?.id !== 'addNotificationRecipients') return;
    const list = isObject(body) && Array.isArray(body.recipients) ? body.recipients : [];
    for (const recipient of new Set(list)) {
      if (!this.#allowed(recipient)) {
        throw new Unsafe(
          `the recipient ${canonical(recipient)} is not of this run or the tenant file`,
        );
      }
    }
  }

  /** A recipient that the tenant file names, or one that this run made up in every identifier. */
  #allowed(recipient: unknown): boolean {
    if (!isObject(recipient)) return true;
    const fields = ['userId', 'email', 'embedTenantName', 'externalId', 'channelId'];
    const given = fields.filter((name) => recipient[name] !== undefined);
    const person = given.filter((name) => name !== 'embedTenantName');
    const agreed = [...this.#recipients.agreed, ...this.#learned].some(
      (known) =>
        isObject(known) &&
        person.length > 0 &&
        given.every(
          (name) =>
            same(known[name], recipient[name]) ||
            (name === 'email' && this.#marked(recipient.email)),
        ) &&
        person.some((name) => same(known[name], recipient[name])),
    );
    return agreed || person.every((name) => this.#marked(recipient[name]));
  }

  #marked(value: unknown): boolean {
    const text = String(value);
    return (
      text === '' || value === null || this.#recipients.marks.some((mark) => text.includes(mark))
    );
  }
}

/** Numbers and their digits, and the case of an email, are the same person (REQ-5, RECIP-34). */
function same(known: unknown, given: unknown): boolean {
  return known !== undefined && String(known).toLowerCase() === String(given).toLowerCase();
}
