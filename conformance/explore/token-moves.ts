/** Metadata tokens: their lifetime, the context that they carry, and that they open nothing here. */

import fc from 'fast-check';
import { equal, isObject, objectsIn } from '../../spec/base/json.ts';
import { toMillis } from '../../spec/base/time.ts';
import { readJwt } from '../answers/jwt.ts';
import type { Conditions } from '../language/scenario.ts';
import type { CallData } from './contradiction.ts';
import { accessStatement, type MoveKind, moveKind, type Setting } from './move.ts';
import type { Session } from './session.ts';

const path = { deployment_id: '{deployment.id}', environment_id: '{environment.id}' };
const call = 'createMetaSyncToken' as const;

/** Contexts of which a careless service would lose or change something. */
const contexts: readonly Readonly<Record<string, unknown>>[] = [
  { lockstep: '{run.id}', tenant_id: 42, region: { area: 'North', zones: [1, 2, 3] } },
  { lockstep: '{run.id}', Name: 'Größe Über', active: true, count: 0, note: '', nothing: null },
  { lockstep: '{run.id}', postcode: '01234', digits: '42', retired: false, roles: ['a', 'b'] },
  { lockstep: '{run.id}' },
];
const lifetimes = [undefined, undefined, 60, 90, 600, 5400, 86_400, 172_800];

interface Mint {
  readonly actor: string;
  readonly context: number;
  readonly lifetime: number | undefined;
}

async function mint(session: Session, { actor, context, lifetime }: Mint): Promise<void> {
  const security_context = contexts[context % contexts.length];
  const body = {
    security_context,
    ...(lifetime === undefined ? {} : { expires_in: lifetime }),
  };
  const entry = await session.call({ as: actor, call, path, body });
  const wrong = (statement: string, conditions: Conditions, because: string): never => {
    throw session.contradiction(entry, statement, conditions, because);
  };
  const { answer } = entry;
  session.expectStatus(
    entry,
    accessStatement(actor, answer.status, 'META-1'),
    200,
    'a token is made',
  );
  const { data } = answer.body as { data: Record<string, unknown> };
  const { token, created_at, expires_at } = data;
  const jwt = readJwt(token);
  if (jwt === undefined) {
    const parts = { token: '{body.data.token}', payload: { $type: 'object' } };
    wrong('META-2', { jwt: parts }, 'the token is no JWT');
  }
  const seconds = lifetime ?? 86_400;
  const [from, to] = [toMillis(created_at), toMillis(expires_at)];
  if (from === undefined || to === undefined) {
    const both = { created_at: { $format: 'iso8601' }, expires_at: { $format: 'iso8601' } };
    return wrong('META-6', { body: { data: both } }, 'a time is not ISO 8601');
  }
  if (Math.abs(to - from - seconds * 1000) > 2000) {
    const value = { secondsBetween: ['{body.data.created_at}', '{body.data.expires_at}'] };
    const conditions = { that: { value, is: { $min: seconds - 2, $max: seconds + 2 } } };
    const statement = lifetime === undefined ? 'META-4' : 'META-5';
    wrong(statement, conditions, `the token should live ${seconds} seconds`);
  }
  session.model.tokens.push({ entry: entry.id });
  // The claims of an encrypted token are nobody's to read.
  if (jwt !== undefined && jwt.payload === undefined) return;
  const payload = jwt?.payload;
  const expected = session.value(security_context);
  if (
    ![...objectsIn(payload)].some((item) => equal(item, expected)) &&
    !holdsText(payload, expected)
  ) {
    const matcher = { payload: { $anywhere: { $equals: security_context } } };
    const conditions = { jwt: { token: '{body.data.token}', ...matcher } };
    wrong('META-7', conditions, 'the token does not carry the context that was sent');
  }
  const exp = isObject(payload) ? payload.exp : undefined;
  if (exp !== undefined && Math.abs((toSeconds(exp) ?? 0) - to / 1000) > 2) {
    const sameTime = { $sameTime: { as: '{body.data.expires_at}', within: '2s' } };
    const matcher = {
      payload: { exp: { $type: 'integer', $below: 100_000_000_000, ...sameTime } },
    };
    const conditions = { jwt: { token: '{body.data.token}', ...matcher } };
    wrong('META-14', conditions, 'exp is not the time of expires_at');
  }
}

/** A NumericDate counts seconds. */
function toSeconds(exp: unknown): number | undefined {
  return typeof exp === 'number' ? exp : undefined;
}

/** The context may stand in the token as JSON text. */
function holdsText(value: unknown, expected: unknown): boolean {
  if (typeof value === 'string' && value.startsWith('{')) {
    try {
      return equal(JSON.parse(value), expected);
    } catch {
      return false;
    }
  }
  if (!isObject(value)) return false;
  return Object.values(value).some((item) => holdsText(item, expected));
}

const withoutContext: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { expires_in: 60 },
  { security_context: null, expires_in: 60 },
  { security_context: 'everything', expires_in: 60 },
  { security_context: [{ lockstep: '{run.id}' }], expires_in: 60 },
];

/** Calls that a metadata token is tried on; what they send would change nothing. */
const doors: readonly CallData[] = [
  { as: '', call: 'listDeployments' },
  { as: '', call: 'listEnvironments', path: { deployment_id: '{deployment.id}' } },
  { as: '', call: 'listVersions', path: { deployment_id: '{deployment.id}' } },
  { as: '', call: 'listBranches', path: { deployment_id: '{deployment.id}' } },
  { as: '', call: 'listScimUsers' },
  {
    as: '',
    call: 'createMetaSyncToken',
    path,
    body: { security_context: { lockstep: '{run.id}' }, expires_in: 60 },
  },
  {
    as: '',
    call: 'updateFolder',
    path: { deploymentId: '{deployment.numericId}', folderId: '{folder.id}' },
    body: {},
  },
];

async function knock(
  session: Session,
  { door, back }: { door: number; back: number },
): Promise<void> {
  const { tokens } = session.model;
  const token = tokens.at(-1 - (back % Math.max(1, tokens.length)));
  const data = doors[door];
  if (token === undefined || data === undefined) return;
  const as = { header: `Bearer {steps.${token.entry}.body.data.token}` };
  const entry = await session.call({ ...data, as });
  const refusals = [400, 401, 403, 404];
  session.expectStatus(entry, 'META-8', refusals, 'a metadata token opens nothing of this API');
}

export function tokenMoves({ principals, target }: Setting): MoveKind[] {
  const about = (kind: string, weight: number) =>
    ({
      kind,
      weight,
      needs: ['admin', 'deployment.id', 'environment.id'],
      effect: 'reversible',
    }) as const;
  const open = doors
    .map((door, index) => ({ door, index }))
    .filter(
      ({ door }) => door.call !== 'updateFolder' || (target.bindings.folder?.id ?? null) !== null,
    )
    .map(({ index }) => index);
  return [
    moveKind(
      about('make a token', 8),
      fc.record({
        actor: fc.constantFrom(...principals, 'admin'),
        context: fc.nat(contexts.length - 1),
        lifetime: fc.constantFrom(...lifetimes),
      }),
      mint,
    ),
    moveKind(
      about('make a token without a context', 4.5),
      fc.constantFrom(...withoutContext),
      async (session, body) => {
        const entry = await session.call({ as: 'admin', call, path, body });
        session.expectStatus(
          entry,
          'META-3',
          'refused',
          'security_context, an object, is required',
        );
      },
    ),
    moveKind(
      about('use a token', 6),
      fc.record({ door: fc.constantFrom(...open), back: fc.nat(3) }),
      knock,
    ),
  ];
}
