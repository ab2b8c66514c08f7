/**
 * Some claims of a tenant file can only be checked by the calls of the run, not by a read before it. A
 * notification may not exist, a branch may not be shared, a user may be unknown, an administrator may lack
 * the role. If the target refuses every call that it must accept, either the file or the service is wrong.
 */

import { brief, canonical, isObject, type JsonObject } from '../../spec/base/json.ts';
import type { PreflightFinding } from '../judge/report.ts';
import type { Answer } from '../language/answer.ts';
import type { Step } from '../language/scenario.ts';
import {
  type Bindings,
  bindingsOf,
  dependsOn,
  kindOfBinding,
  refusedBindings,
} from '../language/vocabulary.ts';
import type { TargetCall } from '../target/call.ts';
import { identifiers, kindOfCredential, same } from './claims.ts';

/** After so many refused scenarios no more are tried. A single scenario may fail for a reason of its own. */
const enough = 5;

/** Something that the tenant file claims, and that a write needs. */
interface Claim {
  readonly name: string;
  readonly kind: PreflightFinding['kind'];
  /** The claim, for people. */
  readonly text: string;
}

interface Seen {
  readonly claim: Claim;
  readonly refusedIn: Set<string>;
  status: number;
  taken: boolean;
  /** The requests that were accepted although they must be refused, and those that were rightly refused. */
  readonly wronglyTaken: Set<string>;
  readonly rightlyRefused: Set<string>;
}

export class ClaimWatch {
  readonly #bindings: Bindings;
  /** Bindings that reads have confirmed. */
  readonly #proven: ReadonlySet<string>;
  /** Credentials that the preflight found refused. */
  readonly #dead: readonly string[];
  readonly #seen = new Map<string, Seen>();
  /** Refusals of writes that named people, to objects that no write was accepted for yet. */
  #open: OpenRefusal[] = [];

  constructor(
    bindings: Bindings,
    proven: ReadonlySet<string>,
    findings: readonly PreflightFinding[],
  ) {
    this.#bindings = bindings;
    this.#proven = proven;
    this.#dead = findings.flatMap(({ name, kind, judged }) =>
      kind === 'credential' && judged !== true ? [name] : [],
    );
  }

  /** Call after each call of a step. */
  note(
    { call, answer, credential }: Made,
    step: Pick<Step, 'checks' | 'expect'>,
    scenario: string,
  ): void {
    const { status } = answer;
    if (credential === undefined || status === 429 || status > 499) return;
    this.#noteCaller(call, status, credential, scenario);
    const wanted = wantedOf(step);
    if (call.object === undefined || wanted === undefined || status === 401) return;
    const mayAll = ['admin', 'oauth'].includes(credential);
    const request = requestOf(call);
    const { claims, objects, people } = this.#claimsOf(call, status, credential);
    // While the object is in doubt, a refusal says nothing about the people.
    const isOpen = status >= 400 && !objects.every((claim) => this.#seenOf(claim).taken);
    if (isOpen && mayAll && wanted === 'success')
      this.#open.push({ objects, people, status, scenario });
    for (const claim of [...claims, ...objects, ...(isOpen ? [] : people)]) {
      const isRight = wanted === 'refusal' && status >= 400;
      // Other callers may be refused because they lack a right. A refusal with another status is about
      // the object.
      if (isRight && (mayAll || ![403, 404].includes(status)))
        this.#seenOf(claim).rightlyRefused.add(request);
      if (isRight || (!mayAll && claim.kind === 'binding')) continue;
      if (status < 400) this.#took(claim, wanted === 'refusal', request);
      else this.#refused(claim, status, scenario);
    }
  }

  /**
   * An expired credential must get 401 from each operation. Any other credential must not get 401 from an
   * operation that accepts it.
   */
  #noteCaller({ operation }: TargetCall, status: number, name: string, scenario: string): void {
    const claim: Claim = { name, kind: 'credential', text: `a call as ${name}` };
    if (name.startsWith('expired')) {
      if (status !== 401) this.#took(claim, true);
    } else if (operation?.requires.credentials.includes(kindOfCredential(name)) === true) {
      if (status === 401) this.#refused(claim, status, scenario);
      else this.#took(claim, false);
    }
  }

  #took(claim: Claim, isWrong: boolean, request = ''): void {
    const seen = this.#seenOf(claim);
    if (isWrong) seen.wronglyTaken.add(request);
    else seen.taken = true;
  }

  #refused(claim: Claim, status: number, scenario: string): void {
    const seen = this.#seenOf(claim);
    seen.refusedIn.add(scenario);
    seen.status = status;
  }

  /** Whether a scenario needs a binding or credential that was refused too often to be tried again. */
  isRefused(needs: readonly string[]): boolean {
    return this.#doubts().some(({ claim, refusedIn }) => {
      return refusedIn.size >= enough && dependsOn(needs, claim.name);
    });
  }

  /** The claims of the tenant file that the answers contradict. */
  findings(): PreflightFinding[] {
    const doubts = this.#doubts();
    const refused = doubts.map(({ claim, refusedIn, status }): PreflightFinding => {
      const { name, kind, text } = claim;
      const often = refusedIn.size === 1 ? 'a scenario' : `${refusedIn.size} scenarios`;
      const message = `${text} is refused in ${often} (${status}), and never accepted: the tenant file or the service is wrong`;
      return { name, kind, message };
    });
    const refusedNames = {
      credential: [...this.#dead, ...namesOf(doubts, 'credential')],
      binding: namesOf(doubts, 'binding'),
    };
    const taken = [...this.#seen.values()].flatMap(
      ({ claim, taken, wronglyTaken, rightlyRefused }): PreflightFinding[] => {
        const { name, kind, text } = claim;
        if (wronglyTaken.size === 0 || refusedNames[kind].includes(name)) return [];
        const lead = `${text} is accepted but must be refused`;
        const other = refusedNames[kind].find((one) => mayBeFor(one, name, kind));
        if (other !== undefined)
          return [
            {
              name,
              kind,
              message: `${lead}, and ${other} is refused: the tenant file or the service has them swapped`,
            },
          ];
        // If the same request was refused at another time, the service is certainly wrong.
        const isAlways = !taken && !wronglyTaken.isSubsetOf(rightlyRefused);
        if (!refusedBindings.has(name) || !isAlways) return [];
        return [
          {
            name,
            kind,
            message: `${lead}: it is another kind of ${kindOfBinding(name)} than the tenant file says, or the service is wrong`,
          },
        ];
      },
    );
    return [...refused, ...taken];
  }

  #doubts(): Seen[] {
    const isTaken = (claim: Claim): boolean => this.#seenOf(claim).taken;
    const [ready, open] = [true, false].map((taken) =>
      this.#open.filter(({ objects }) => objects.every(isTaken) === taken),
    );
    for (const { people, status, scenario } of ready ?? [])
      for (const claim of people) this.#refused(claim, status, scenario);
    this.#open = open ?? [];
    return [...this.#seen.values()].filter(({ taken, refusedIn }) => !taken && refusedIn.size > 0);
  }

  #seenOf(claim: Claim): Seen {
    const seen = this.#seen.get(claim.text) ?? {
      ...{ claim, refusedIn: new Set(), status: 0, taken: false },
      ...{ wronglyTaken: new Set(), rightlyRefused: new Set() },
    };
    this.#seen.set(claim.text, seen);
    return seen;
  }

  /** The claims that a write depends on. If its caller may not make it, the other claims stay unproven. */
  #claimsOf({ operation, object, sent }: TargetCall, status: number, credential: string): Claims {
    const role: Claim = {
      name: credential,
      kind: 'credential',
      text: `a call that needs the admin role, as ${credential},`,
    };
    const needsRole = operation?.requires.role === 'admin';
    if (needsRole && status === 403) return { claims: [role], objects: [], people: [] };
    const named = Object.entries({ ...object?.parameters, ...object?.fields }).flatMap(
      ([name, value]) =>
        bindingsOf(operation, name).filter((binding) => isNamed(this.#bindings[binding], value)),
    );
    const objects = [...new Set(named)]
      .filter((name) => !this.#proven.has(name))
      .map((name): Claim => ({ name, kind: 'binding', text: `a write to ${name}` }));
    const people = this.#peopleIn(operation?.people, sent);
    return { claims: needsRole && status < 400 ? [role] : [], objects, people };
  }

  #peopleIn(people: NonNullable<TargetCall['operation']>['people'], sent: unknown): Claim[] {
    if (people === undefined || !isObject(sent)) return [];
    const { binding, keys } = people;
    const listed = [sent[people.list]].flat().filter(isObject);
    const claims: Claim[] = [];
    for (const [list, agreed] of Object.entries(this.#bindings[binding] ?? {})) {
      for (const [index, person] of [agreed].flat().entries()) {
        const place = `${list}[${index}]`;
        if (!isObject(person) || this.#proven.has(`${binding}.${place}`)) continue;
        // The target may know a person by one name and not by another. If it gets a further name, such as
        // an address, it may create a new user.
        const as = listed.filter((one) =>
          keys.every((name) => one[name] === undefined || same(one[name], person[name])),
        );
        for (const key of keys.filter((name) => as.some((one) => same(one[name], person[name])))) {
          const text = `a write that names ${place}.${key} (${brief(person[key])})`;
          claims.push({ name: `${binding}.${list}`, kind: 'binding', text });
        }
      }
    }
    return claims;
  }
}

/** The claims that a write depends on: of its caller, of its object, and of the people whom it names. */
interface Claims {
  readonly claims: readonly Claim[];
  readonly objects: readonly Claim[];
  readonly people: readonly Claim[];
}

interface OpenRefusal extends Pick<Claims, 'objects' | 'people'> {
  readonly status: number;
  readonly scenario: string;
}

interface Made {
  readonly call: TargetCall;
  readonly answer: Pick<Answer, 'status'>;
  readonly credential: string | undefined;
}

/** A write without the name of its object: writes that name the object differently are the same request. */
function requestOf({ object, sent }: TargetCall): string {
  const fields = isObject(sent) ? Object.entries(sent) : [];
  return canonical(fields.filter(([name]) => object?.fields[name] === undefined));
}

/** Whether a step must be accepted or refused; undefined if the step allows both. */
function wantedOf({ checks, expect }: Pick<Step, 'checks' | 'expect'>) {
  const statuses = [
    expect?.status,
    ...checks.flatMap(({ only, conditions }) => (only.length > 0 ? [] : [conditions.status])),
  ];
  const isRefusal = (status: unknown): boolean =>
    isObject(status) ? 'not' in status : /^(refused|4)/.test(String(status));
  if (statuses.some(isRefusal)) return 'refusal';
  return statuses.some((status) => String(status).startsWith('2')) ? 'success' : undefined;
}

/** Whether the two may be swapped: the refused one could take the place of the accepted one. */
function mayBeFor(refused: string, taken: string, kind: Claim['kind']): boolean {
  if (kind === 'binding') return kindOfBinding(refused) === kindOfBinding(taken);
  return taken.startsWith('expired') || /^(admin|oauth|scoped)/.test(refused);
}

function namesOf(all: readonly Seen[], kind: Claim['kind']): string[] {
  return all.flatMap(({ claim }) => (claim.kind === kind ? [claim.name] : []));
}

const isNamed = (bound: JsonObject | undefined, value: unknown): boolean =>
  bound !== undefined && identifiers.some((key) => same(bound[key], value));
