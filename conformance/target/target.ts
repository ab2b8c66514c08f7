/**
 * The target of a run. The core of the runner knows only this interface, so that the exam can pass a
 * function that makes targets in the same process.
 */

import { setTimeout } from 'node:timers/promises';
import type { ReportTarget } from '../judge/report.ts';
import type { Aliases, WireAnswer } from '../language/answer.ts';
import type { Bindings, Claims, Feature } from '../language/vocabulary.ts';

export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** In a replay also the time at which it was sent, and its duration; in a run the client's own clock counts. */
export type WireResponse = Pick<WireAnswer, 'status' | 'headers' | 'text'> &
  Partial<Pick<WireAnswer, 'sentAt' | 'durationMs'>>;

/** Sends one request and never follows a redirect. Rejects with NetworkError if no answer came. */
export type Transport = (request: WireRequest, signal?: AbortSignal) => Promise<WireResponse>;

export class NetworkError extends Error {
  /** True if another attempt would end in the same way and take as long. */
  readonly final: boolean;

  constructor(message: string, final = false) {
    super(message);
    this.final = final;
  }
}

export class AnswerTooLarge extends NetworkError {
  /** `why`: about the answer, such as `it is larger than 32 bytes`. */
  constructor(why: string) {
    super(why, true);
  }
}

export interface Credential {
  readonly secret: string;
  /** The claims of the tenant file about the credential, to be compared with the bindings. */
  readonly claims?: Claims | undefined;
}

export interface Target {
  readonly kind: 'mock' | 'tenant';
  /** Whether others may change something meanwhile; by default only on a tenant. */
  readonly shared?: boolean;
  /** With the path prefix of a mock's world; without a slash at its end. */
  readonly baseUrl: string;
  /** Its name in the tenant file. */
  readonly name?: string | undefined;
  readonly version?: string;
  readonly world?: string;
  readonly transport: Transport;
  /** By name. */
  readonly credentials: ReadonlyMap<string, Credential>;
  /** By credential: the environment variable that held its secret. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The file of the authority that signed its certificate, from the working folder. */
  readonly ca?: string | undefined;
  readonly bindings: Bindings;
  readonly features: Readonly<Record<string, Feature>>;
  /** The tenant's field name -> the contract's. */
  readonly aliases: Aliases;
  /** Waits on the target's clock: a mock's moves, a tenant's is the wall's. */
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** A tenant's clock that `wait` moves, in milliseconds since 1970; left out if it is the wall's. */
  readonly now?: () => number;
  readonly close: () => Promise<void>;
}

export const isShared = ({ kind, shared = kind === 'tenant' }: Target): boolean => shared;

const loopback = /^(localhost|127(?:\.\d+){3}|\[::1\]|::1)$/;

export function isLoopback(url: string): boolean {
  return URL.canParse(url) && loopback.test(new URL(url).hostname);
}

/** Waits on the wall's clock; rejects with the signal's reason. */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => signal?.throwIfAborted());
}

/** A target as the report names it: claims, and no secret. */
export function aboutTarget(target: Target): ReportTarget {
  const { kind, baseUrl, name, version, world, credentials, bindings, features, aliases } = target;
  const { variables, ca } = target;
  return {
    baseUrl,
    name,
    kind,
    version,
    world,
    credentials: Object.fromEntries(
      [...credentials].map(([name, { claims = {} }]) => [name, claims]),
    ),
    ...{ ...(variables && { variables }), ca, bindings, features },
    aliases: Object.fromEntries(aliases),
  };
}
