/** A request in the pipeline: the facts about it, the decision on its answer, and error bodies. */
import { STATUS_CODES } from '../../spec/base/builtins.ts';
import { named, type Operation, type Surface } from '../../spec/contract.ts';
import type { World } from '../world/world.ts';
import type { Basis } from './basis.ts';
import type { Call } from './call.ts';
import type { Credential } from './credential.ts';
import type { ExchangeRequest, Handled, Refusal, Reply } from './exchange.ts';
import type { Handlers } from './handler.ts';
import type { Match } from './request-line.ts';

/** An operation of a `--description` that the contract does not model. */
export interface Described {
  /** The deployment that its path names. */
  readonly deployment: string | undefined;
  /** Whether it is for administrators alone. */
  readonly admin: boolean;
}

/** The options that a service gives the pipeline in addition to its worlds. */
export interface PipelineOptions {
  readonly handlers: Handlers;
  /** Sends Lockstep-Basis and Lockstep-World (default true). */
  readonly gradeHeaders?: boolean | undefined;
  /** The service's real name for the field that the description writes `unitCount`. */
  readonly unitCountAlias?: string | undefined;
  /** Answers requests that the contract does not model, or that a Prefer header asks to simulate. */
  readonly simulate?: ((request: SimulationRequest) => Promise<Handled | undefined>) | undefined;
  /** Whether a `--description` knows a path. */
  readonly describes?: ((method: string, path: string) => Described | undefined) | undefined;
}

/** A request that has found its world. */
export interface Routed {
  readonly world: World;
  readonly request: ExchangeRequest;
  readonly credential: Credential;
  /** Path as it was sent, without a world prefix. */
  readonly path: string;
  readonly query: string;
  /** The prefix named the world, so a credential of another world is refused. */
  readonly prefixed: boolean;
}

/** A request for an answer made from a description, or from the contract if there is an operation. */
export interface SimulationRequest extends Pick<Routed, 'request' | 'path' | 'query'> {
  readonly operation: Operation | undefined;
}

/** A request with a parsed request line. */
export interface Exchange extends Routed {
  readonly options: PipelineOptions;
  /** The path, without a slash at its end. */
  readonly route: string;
  readonly match: Match;
  readonly surface: Surface;
  readonly basis: Basis;
  /** Whether the request may change the state. */
  readonly writes: boolean;
}

/**
 * The origin of an answer. `service`: the mock, for the service; it is checked against the contract and
 * graded. `simulated`: made from a description alone, and graded. `injected` (by a fault, a deviation
 * or a Prefer header) and `outside` (not a path of the service) say nothing about the service, so they
 * are not graded.
 */
export type Origin = 'service' | 'simulated' | 'injected' | 'outside';

/** The mock's decision on an answer. */
export interface Decision {
  readonly reply: Reply;
  readonly refusal: Refusal | null;
  readonly origin: Origin;
  /** Undefined if the credential was refused, or no operation was found. */
  readonly call?: Call | undefined;
}

export function refuse(
  exchange: Exchange,
  refusal: Refusal,
  { call, origin = 'service' }: Partial<Decision> = {},
): Decision {
  const reply = errorReply(exchange.surface, refusal, exchange.basis);
  return { reply, refusal, origin, call };
}

/** The name of the sent credential; null if this world has no such credential. */
export function credentialName({ credential, world }: Routed): string | null {
  return 'world' in credential && credential.world === world.id ? credential.name : null;
}

/** `{ error }` on the management API, an open shape on the build API, RFC 7644 on SCIM. */
function errorReply(surface: Surface, refused: Refusal, basis: Basis): Reply {
  const { status } = refused;
  const reason = STATUS_CODES[status] ?? 'Error';
  const message = basis.assume(named.errorMessage) === 'terse' ? reason : refused.message;
  const challenge = status === 401 ? { 'WWW-Authenticate': `Bearer realm="${surface}"` } : {};
  const headers = { ...challenge, ...refused.headers };
  const reply = (body: unknown): Reply => ({ status, body, headers });
  const learned = (silence: string, body: object): Reply =>
    reply(basis.shaped([silence], body, { text: message }));
  switch (surface) {
    case 'management':
      return reply({ error: message });
    case 'build':
      return learned(
        named.buildErrorBody,
        buildError(basis.assume(named.buildErrorBody), message, reason, status),
      );
    case 'scim': {
      const schemas = ['urn:ietf:params:scim:api:messages:2.0:Error'];
      const explained = { scimType: refused.scimType, detail: message };
      const says = basis.assume(named.scimErrorDetail) === 'explains' ? explained : {};
      const error = { schemas, status: String(status), ...says };
      return learned(named.scimErrorDetail, error);
    }
  }
}

/** The error body of the build API, by a choice of its silence. */
function buildError(choice: string, message: string, title: string, status: number): object {
  switch (choice) {
    case 'problem':
      return { type: 'about:blank', title, status, detail: message };
    case 'as-management':
      return { error: message };
    case 'message-list':
      return { message: [message] };
    case 'message-object':
      return { message: { error: message } };
    default:
      return { message };
  }
}

/** Media type of a JSON body on a surface. */
export function mediaTypeOf(surface: Surface): string {
  return surface === 'scim' ? 'application/scim+json' : 'application/json; charset=utf-8';
}
