/** The caller of a request, as far as its headers and the tenant file show it, and its rights by the description. */

import { createHash, randomBytes } from 'node:crypto';
import { isObject } from '../../spec/base/json.ts';
import { decoded } from '../../spec/base/visible.ts';
import { ownFamily } from '../language/authorisation.ts';
import { isSo } from '../language/compute.ts';
import type { Scenario, Step } from '../language/scenario.ts';
import { ScenarioScope } from '../language/scope.ts';
import { attempt, resolve } from '../language/template.ts';
import { pathTo, type TargetCall } from '../target/call.ts';
import { actorOf } from '../target/request.ts';
import type { Target } from '../target/target.ts';
import { queryOf } from './asked.ts';
import { type Head, header } from './traffic.ts';

export type Known = Pick<Target, 'kind' | 'bindings' | 'credentials' | 'features' | 'aliases'>;

/** A cell of the authorisation table that fits a request. */
export interface FittingCell {
  readonly step: Step;
  readonly scope: ScenarioScope;
  /** It names the same objects as the cell's own call, so that its answer is the cell's. */
  readonly same: boolean;
}

export interface Caller {
  /** `none`: without any credential. `hidden`: it may have one that the record does not show. */
  readonly kind: 'none' | 'named' | 'minted' | 'unknown' | 'hidden';
  /** As journals and reports call it. */
  readonly label: string | null;
  /** The cells for a call of this caller. */
  cells(call: TargetCall): readonly FittingCell[];
}

interface Cell {
  readonly operation: string;
  readonly scenario: Scenario;
  readonly step: Step;
  readonly scope: ScenarioScope;
  /** The Authorization header of its requests; undefined if that is not known. */
  readonly authorization: string | undefined;
  /** In front of a token that was minted. */
  readonly scheme: string | undefined;
}

/** Headers by which a service may know a caller, besides Authorization. */
const otherWays = [
  'cookie',
  'x-api-key',
  'api-key',
  'x-auth-token',
  'x-access-token',
  'x-client-cert',
];
const queryKeys = /[?&][\w-]*(?:token|key|signature|sig|auth)=/i;

/** What a request carries as a secret, whoever sends it. */
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
  readonly #known: Known;
  readonly #cells: readonly Cell[];
  readonly #names = new Map<string, string>();
  readonly #minted = new Set<string>();
  /** So that a name says nothing of the credential. */
  readonly #salt = randomBytes(16);
  readonly #hides: boolean;
  #unknown = 0;

  /** `hides`: the recorder of the traffic may have left credentials out. */
  constructor(known: Known, { hides }: { readonly hides: boolean }) {
    this.#known = known;
    this.#hides = hides;
    this.#cells = ownFamily().scenarios.flatMap((scenario) => this.#cellOf(scenario) ?? []);
    for (const [name, { secret }] of known.credentials) this.#names.set(this.#digest(secret), name);
  }

  of({ headers, target }: Head): Caller {
    const authorization = normal(header(headers, 'authorization'));
    const other = otherWays.some((name) => headers[name] !== undefined) || queryKeys.test(target);
    if (authorization === undefined || authorization === '') {
      const kind = other || this.#hides ? 'hidden' : 'none';
      return this.#caller(kind, null, (cell) => kind === 'none' && cell.authorization === '');
    }
    const secret = authorization.slice(authorization.indexOf(' ') + 1).trim();
    if (this.#minted.has(this.#digest(secret))) {
      const scheme = authorization.slice(0, -secret.length);
      return this.#caller('minted', 'a metadata token', (cell) => cell.scheme === scheme);
    }
    const name = this.#names.get(this.#digest(secret));
    const isSame = (cell: Cell): boolean => cell.authorization === authorization;
    // A credential that a recorder removed is not malformed.
    const fits = !this.#hides && this.#cells.some(isSame);
    const label = name ?? (fits ? 'a malformed credential' : this.#nameOf(secret));
    return this.#caller(name === undefined && !fits ? 'unknown' : 'named', label, isSame);
  }

  /** Remembers a token that an answer has made, not as it is. */
  learnMinted(token: string): void {
    if (this.#minted.size < mostMinted) this.#minted.add(this.#digest(token));
  }

  #caller(kind: Caller['kind'], label: string | null, isSame: (cell: Cell) => boolean): Caller {
    return { kind, label, cells: (call) => this.#fitting(call, isSame) };
  }

  #fitting(call: TargetCall, isSame: (cell: Cell) => boolean): FittingCell[] {
    const own = this.#cells.filter((cell) => cell.operation === call.operation?.id && isSame(cell));
    const fitting = own.map(({ step, scope }) => ({
      step,
      scope,
      same: namesTheSame(step, scope, call),
    }));
    // Of a caller in a place of its own and in another, the place tells which cell it is.
    const exact = fitting.filter(({ same }) => same);
    return exact.length > 0 ? exact : fitting;
  }

  #cellOf(scenario: Scenario): Cell | undefined {
    const step = scenario.steps.at(-1);
    const operation = step?.operation?.id;
    // Over plain HTTP nothing is passed on.
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
    return { operation, scenario, step, scope, authorization, scheme };
  }

  #nameOf(secret: string): string {
    const digest = this.#digest(secret);
    const known = this.#names.get(digest);
    if (known !== undefined) return known;
    if (this.#unknown >= mostCallers) return 'caller-?';
    this.#unknown += 1;
    const name = `caller-${this.#unknown}`;
    this.#names.set(digest, name);
    return name;
  }

  #digest(secret: string): string {
    return createHash('sha256').update(this.#salt).update(secret).digest('base64url');
  }
}

/** The name of the scheme is read in any letters. */
function normal(authorization: string | undefined): string | undefined {
  return authorization
    ?.trim()
    .replace(/^bearer(?= |$)/i, 'Bearer')
    .replace(/^api-key(?= |$)/i, 'Api-Key');
}

/** Whether a call names the objects that the call of a cell names, in its path and in its body. */
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

/** Why what a cell says does not hold for this caller; undefined if it does. */
export function unmet({ step, scope }: FittingCell): string | undefined {
  for (const item of step.require) if (attempt(() => isSo(item, scope)) !== true) return item.else;
  return undefined;
}

/** The only status that the table gives a caller for a call; undefined if it does not say. */
export function promisedStatus(cells: readonly FittingCell[]): number | undefined {
  const statuses = cells.flatMap((cell) =>
    unmet(cell) === undefined ? cell.step.checks.map(({ conditions }) => conditions.status) : [],
  );
  const [first] = statuses;
  return typeof first === 'number' && statuses.every((one) => one === first) ? first : undefined;
}
