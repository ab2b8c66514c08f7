/** A refused request with changes, and the steps that make those changes. */
import { brief } from '../../spec/base/json.ts';
import { match } from '../pipeline/request-line.ts';
import type { PatchOperation, Precondition, RepairStep } from '../world/explanation.ts';
import type { World } from '../world/world.ts';

/** A request in a form that can be tried. */
export interface Draft {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body as it was sent; `patch` holds its changes. */
  readonly body: string | null;
  readonly patch: readonly PatchOperation[];
  /** Name of the credential; null for none. */
  readonly credential: string | null;
  /** Whether the credential changes, or the way in which it is sent. */
  readonly isSignedAnew: boolean;
  readonly isSecure: boolean;
  readonly before: readonly Precondition[];
}

/** The steps from one request to the other, in the order of doing them. */
export function stepsOf(world: World, from: Draft, to: Draft): RepairStep[] {
  const steps: RepairStep[] = [...to.before, ...faultsInTheWay(world, to)].map((call) => ({
    what: 'before',
    ...call,
  }));
  if (to.isSecure) steps.push({ what: 'secure' });
  if (to.isSignedAnew && to.credential !== null)
    steps.push({ what: 'credential', credential: to.credential });
  if (to.method !== from.method || targetOf(to) !== targetOf(from)) {
    steps.push({ what: 'request', method: to.method, target: targetOf(to) });
  }
  const names = Object.keys({ ...from.headers, ...to.headers });
  const changed = names.filter((name) => from.headers[name] !== to.headers[name]);
  if (changed.length > 0) {
    const headers = Object.fromEntries(changed.map((name) => [name, to.headers[name] ?? null]));
    steps.push({ what: 'headers', headers });
  }
  if (to.patch.length > 0) steps.push({ what: 'body', patch: to.patch });
  return steps;
}

/** The copy has no faults. So the world gives the same answer only after its own faults are removed. */
function faultsInTheWay(world: World, { method, path, credential }: Draft): Precondition[] {
  const found = match(method, path);
  const operation = found.kind === 'operation' ? found.operation.id : null;
  const mayStrike = world.faults
    .list()
    .filter(
      (fault) =>
        (fault.operation ?? operation) === operation &&
        (fault.credential ?? credential) === credential,
    );
  return mayStrike.map(({ id }) => ({
    method: 'DELETE',
    path: controlPath(world, `faults/${id}`),
  }));
}

/** The address of a part of a world in the control API. */
export function controlPath(world: World, below: string): string {
  return `/__admin/worlds/${world.id}/${below}`;
}

function targetOf({ path, query }: Pick<Draft, 'path' | 'query'>): string {
  return query === '' ? path : `${path}?${query}`;
}

export function stepsInWords(steps: readonly RepairStep[]): string {
  if (steps.length === 0) return 'send it again: the world would accept it now';
  return steps.map(stepText).join('; ');
}

function stepText(step: RepairStep): string {
  switch (step.what) {
    case 'before': {
      const { method, path, body, credential } = step;
      const who = credential === undefined ? '' : ` as ${credential}`;
      return `first ${method} ${path}${body === undefined ? '' : ` ${brief(body)}`}${who}`;
    }
    case 'secure':
      return 'send it over HTTPS';
    case 'credential':
      // The redactor takes a word after "Bearer " for a secret.
      return `send it with the credential ${step.credential} (Authorization: Bearer)`;
    case 'request':
      return `ask ${step.method} ${step.target}`;
    case 'headers':
      return Object.entries(step.headers)
        .map(([name, value]) => (value === null ? `leave out ${name}` : `send ${name}: ${value}`))
        .join('; ');
    case 'body':
      return `patch the body: ${brief(step.patch, 400)}`;
  }
}
