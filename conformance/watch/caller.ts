/** The caller of a request, as far as its headers and the tenant file show it, and its rights by the description. */

import { createHash, randomBytes } from 'node:crypto';
import { isObject } from '../../spec/base/json.ts';
import { decoded } from '../../spec/base/visible.ts';
import { isSo } from '../language/compute.ts';
import { ownFamily } from '../language/own-suite.ts';
import type { Scenario, Step } from '../language/scenario.ts';
import { ScenarioScope } from '../language/scope.ts';
import { attempt, resolve } from '../language/template.ts';
import { pathTo, type TargetCall } from '../target/call.ts';
import { actorOf } from '../target/request.ts';
import type { Target } from '../target/target.ts';
import { queryOf } from './asked.ts';
import { type Exchange, type Head, header, type ReadBody } from './traffic.ts';

export type Known = Pick<Target, 'kind' | 'bindings' | 'credentials' | 'features' | 'aliases'>;

/** A cell of the authorisation table that fits a request. */
export interface FittingCell {
  readonly step: Step;
  readonly scope: ScenarioScope;
  /** The request names the same objects as the call of the cell, so the cell decides its answer. */
  readonly same: boolean;
}

export interface Caller {
  /** `none`: no credential. `hidden`: the record may not show the credential. */
  readonly kind: 'none' | 'named' | 'minted' | 'unknown' | 'hidden';
  /** The name in journals and reports. */
  readonly label: string | null;
  /** A digest of the secret, because a name may have several secrets in turn. */
  readonly secret: string;
  /** The scheme has another letter case. A standard allows them, and the description does not. */
  readonly respelt?: boolean;
  /** The cells for the call of this caller. */
  readonly cells: readonly FittingCell[];
}

/** An exchange, with its call, its caller and its bodies as texts. */
export interface Attributed extends Exchange {
  readonly call: TargetCall;
  readonly caller: Caller;
  readonly texts: { readonly sent: ReadBody; readonly body: ReadBody };
}

interface Cell {
  readonly operation: string;
  readonly step: Step;
  readonly scope: ScenarioScope;
  /** The Authorization header of its requests; undefined if that is not known. */
  readonly authorization: string | undefined;
  /** The scheme before a minted token. */
  readonly scheme: string | undefined;
}

/** Headers other than Authorization by which a service may identify a caller. */
const otherWays = [
  'cookie',
  'x-api-key',
  'api-key',
  'x-auth-token',
  'x-access-token',
  'x-client-cert',
];
const queryKeys = /[?&][\w-]*(?:token|key|signature|sig|auth)=/i;

/** The secrets that a request carries, of any sender. */
export function secretsOf({ headers, target }: Head): readonly string[] {
  const authorization = header(headers, 'authorization') ?? '';
  const asked = [...queryOf(target)].filter(([name, value]) => queryKeys.test(`?${name}=${value}`));
  return [
    authorization.slice(authorization.indexOf(' ') + 1).trim(),
    ...otherWays.flatMap((name) => headers[name] ?? []),
    ...asked.map(([, value]) => value),
  ];
}

const mostCallers = 1000;
const mostMinted = 10_000;

export class Callers {
  #known: Known;
  #cells: readonly Cell[] = [];
  /** By digest. */
  readonly #names = new Map<string, string>();
  readonly #strangers = new Map<string, string>();
  readonly #minted = new Set<string>();
  /** The salt, so that a name reveals nothing about the credential. */
  readonly #salt = randomBytes(16);
  readonly #hides: boolean;

  /** `hides`: the recorder of the traffic may have left credentials out. */
  constructor(known: Known, { hides }: { readonly hides: boolean }) {
    this.#known = known;
    this.#hides = hides;
    this.learn(new Map([...known.credentials].map(([name, { secret }]) => [name, secret])));
  }

  /** Adds the newest secrets, by credential. Earlier secrets are still known by name. */
  learn(secrets: ReadonlyMap<string, string>): void {
    const credentials = new Map(this.#known.credentials);
    for (const [name, secret] of secrets) {
      this.#names.set(this.#digest(secret), name);
      credentials.set(name, { ...credentials.get(name), secret });
    }
    this.#known = { ...this.#known, credentials };
    this.#cells = ownFamily().scenarios.flatMap((scenario) => this.#cellOf(scenario) ?? []);
  }

  of({ headers, target }: Head, call: TargetCall): Caller {
    const sent = header(headers, 'authorization');
    const authorization = normal(sent);
    const other = otherWays.some((name) => headers[name] !== undefined) || queryKeys.test(target);
    if (authorization === undefined || authorization === '') {
      const kind = other || this.#hides ? 'hidden' : 'none';
      const isOpen = (cell: Cell): boolean => kind === 'none' && cell.authorization === '';
      return { kind, label: null, secret: '', cells: this.#fitting(call, isOpen) };
    }
    const text = authorization.slice(authorization.indexOf(' ') + 1).trim();
    const secret = this.#digest(text);
    if (this.#minted.has(secret)) {
      const scheme = authorization.slice(0, -text.length);
      const cells = this.#fitting(call, (cell) => cell.scheme === scheme);
      return { kind: 'minted', label: 'a metadata token', secret, cells };
    }
    const name = this.#names.get(secret);
    const isSame = (cell: Cell): boolean => cell.authorization === authorization;
    // A credential that a recorder removed is not malformed.
    const fits = !this.#hides && this.#cells.some(isSame);
    return {
      kind: name === undefined && !fits ? 'unknown' : 'named',
      label: name ?? (fits ? 'a malformed credential' : this.#strangerOf(secret)),
      ...{ secret, respelt: sent?.trim() !== authorization },
      cells: this.#fitting(call, isSame),
    };
  }

  /** Remembers the digest of a token that an answer has made. */
  learnMinted(token: string): void {
    if (this.#minted.size < mostMinted) this.#minted.add(this.#digest(token));
  }

  #fitting(call: TargetCall, isSame: (cell: Cell) => boolean): FittingCell[] {
    const own = this.#cells.filter((cell) => cell.operation === call.operation?.id && isSame(cell));
    const fitting = own.map(({ step, scope }) => ({
      ...{ step, scope, same: namesTheSame(step, scope, call) },
    }));
    // If a caller has cells for different objects, the object of the call decides.
    const exact = fitting.filter(({ same }) => same);
    return exact.length > 0 ? exact : fitting;
  }

  #cellOf(scenario: Scenario): Cell | undefined {
    const step = scenario.steps.at(-1);
    const operation = step?.operation?.id;
    // The proxy does not pass on plain HTTP.
    if (step === undefined || operation === undefined || step.plain) return undefined;
    const { credentials, features } = this.#known;
    const lacks = scenario.needs.some(
      (need) => features[need] === false || features[need] === 'absent',
    );
    if (lacks) return undefined;
    const scope = new ScenarioScope(this.#known, { id: 'traffic', startedAt: '' });
    for (const [name, value] of Object.entries(scenario.let)) scope.define(name, value);
    const actor = attempt(() => actorOf(step.as, credentials, scope));
    const sent = isObject(step.as) ? String(step.as.header) : '';
    const scheme = sent.includes('{steps.') ? sent.slice(0, sent.indexOf('{')) : undefined;
    const authorization = actor && (normal(actor.headers.authorization) ?? '');
    if (authorization === undefined && scheme === undefined) return undefined;
    return { operation, step, scope, authorization, scheme };
  }

  /** A name for a caller that is not in the tenant file. */
  #strangerOf(digest: string): string {
    const known = this.#strangers.get(digest);
    if (known !== undefined) return known;
    if (this.#strangers.size >= mostCallers) return 'caller-?';
    const name = `caller-${this.#strangers.size + 1}`;
    this.#strangers.set(digest, name);
    return name;
  }

  #digest(secret: string): string {
    return createHash('sha256').update(this.#salt).update(secret).digest('base64url');
  }
}

/** The scheme without regard to case. */
function normal(authorization: string | undefined): string | undefined {
  return authorization
    ?.trim()
    .replace(/^bearer(?= |$)/i, 'Bearer')
    .replace(/^api-key(?= |$)/i, 'Api-Key');
}

/** Whether a call names the same objects as the call of a cell, in path and body. */
function namesTheSame(
  step: Step,
  scope: ScenarioScope,
  { operation, request, sent }: TargetCall,
): boolean {
  if (operation === undefined) return false;
  const path = attempt(() => pathTo(operation.path, resolve(step.path, scope)));
  if (path === undefined || decoded(path) !== decoded(request.path)) return false;
  const body = attempt(() => resolve(step.body, scope));
  const fields = operation.object?.fields ?? [];
  return fields.every((name) => {
    const value = isObject(sent) ? sent[name] : undefined;
    return value === undefined || (isObject(body) && body[name] === value);
  });
}

let anywhere: ReadonlySet<string> | undefined;

/** Whether a statement lets a caller in wherever it calls: the table then says so of another deployment, too. */
export function letsInAnywhere(statement: string): boolean {
  anywhere ??= new Set(
    ownFamily().scenarios.flatMap(({ let: names, steps }) =>
      names.place === '{otherDeployment}'
        ? steps.flatMap(({ checks }) =>
            checks.flatMap((check) =>
              check.conditions.status === 'allowed' ? check.statement : [],
            ),
          )
        : [],
    ),
  );
  return anywhere.has(statement);
}

/** Why a cell does not apply to this caller; undefined if it does. */
export function unmet({ step, scope }: FittingCell): string | undefined {
  for (const item of step.require) if (attempt(() => isSo(item, scope)) !== true) return item.else;
  return undefined;
}

/**
 * The only status that the table permits for a caller and a call; undefined if there is none, or
 * more than one.
 */
export function promisedStatus(cells: readonly FittingCell[]): number | undefined {
  const statuses = cells.flatMap((cell) =>
    unmet(cell) === undefined ? cell.step.checks.map(({ conditions }) => conditions.status) : [],
  );
  const [first] = statuses;
  return typeof first === 'number' && statuses.every((one) => one === first) ? first : undefined;
}
