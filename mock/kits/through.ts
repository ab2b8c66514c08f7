/**
 * Runs the same test on a tenant: each request to a mock also goes to the tenant, through `lockstep proxy`.
 * The client gets the tenant's answer. Each difference from the mock's answer is printed.
 */
import type { Dispatcher } from 'undici';
import { isObject, parseJson, pointerToken, typeOf } from '../../spec/base/json.ts';
import { Refused } from '../../spec/base/refused.ts';
import { operationRoutes } from '../../spec/routes.ts';
import { variableOf } from '../client/variables.ts';
import { readCredential } from '../pipeline/credential.ts';
import type { ExchangeRequest, ExchangeResponse } from '../pipeline/exchange.ts';
import { isControl } from '../service/browser.ts';
import type { Service } from '../service/service.ts';
import { undici } from '../transport/dispatcher.ts';

export interface Through {
  /** Address of a `lockstep proxy` of the tenant. */
  readonly proxy: string;
  /** Permits calls that change the tenant. */
  readonly writes?: boolean | undefined;
}

/** The variable that puts tests on a tenant, if they name no proxy themselves. */
function fromEnvironment(): Through | undefined {
  const { LOCKSTEP_THROUGH: proxy = '', LOCKSTEP_THROUGH_WRITES: writes } = process.env;
  return proxy === '' ? undefined : { proxy, writes: writes === 'yes' };
}

/**
 * Gives a mock's clients the answers of the tenant. Returns the differences so far. Rejects if no proxy
 * answers.
 */
export async function putThrough(
  service: Service,
  through = fromEnvironment(),
): Promise<readonly string[]> {
  if (through === undefined) return [];
  if (service.options.loopbackOnly !== true)
    throw new Refused('other machines reach this mock, so it is not put through to a tenant');
  // The header with the grade shows if the mock or a fault of the test has answered.
  if (service.options.gradeHeaders === false)
    throw new Refused(
      'a mock with gradeHeaders: false is not put through to a tenant; leave it out',
    );
  const proxy = through.proxy.replace(/\/$/, '');
  const { Agent, request: send } = undici();
  const dispatcher = new Agent({ allowH2: false });
  const health = await send(`${proxy}/__admin/health`, { dispatcher }).catch(() => undefined);
  const told = parseJson((await health?.body.text()) ?? '');
  if (!isObject(told) || told.name !== 'lockstep-proxy')
    throw new Refused(`no proxy answers at ${proxy}; start it: lockstep proxy --to https://...`);
  announce(proxy, through.writes === true);
  const differences: string[] = [];
  const own = service.handle.bind(service);
  service.handle = async (request) => {
    const [path = ''] = request.target.split('?');
    if (isControl(path)) return own(request);
    const target = request.target.replace(/^\/w\/[^/?]*/, '');
    const called = `${request.method} ${target.split('?')[0]}`;
    mustBeAllowed(request.method, target, called, through.writes === true);
    const authorization = tenantsOwn(request.headers.authorization);
    const ours = await own(request);
    // A fault of the test has answered, so there is nothing to compare with the tenant.
    if (ours.headers['Lockstep-Basis'] === undefined) return ours;
    const asked = {
      ...{ dispatcher, method: request.method as 'GET', body: request.body ?? null },
      headers: sentOn({ ...request.headers, authorization }),
    };
    const theirs = await send(`${proxy}${target}`, asked).then(whole, (error: Error) => {
      throw new Refused(`${called}: no answer came through ${proxy}: ${error.message}`);
    });
    for (const text of differencesOf(ours, theirs)) {
      const line = `${called}: ${text} (the mock's answer: ${ours.headers['Lockstep-Basis']})`;
      if (differences.includes(line)) continue;
      differences.push(line);
      process.stderr.write(`lockstep: ${line}\n`);
    }
    return theirs;
  };
  return differences;
}

const whole = async ({ statusCode, headers, body }: Dispatcher.ResponseData) => ({
  ...{ status: statusCode, headers: headersOf(headers), body: await body.text() },
});

const announced = new Set<string>();

/**
 * Somebody may have forgotten that the variable is set. So each process says once that it reaches a tenant.
 */
function announce(proxy: string, writes: boolean): void {
  const rights = writes ? 'changes included' : 'reads only';
  const line = `lockstep: requests go on to the tenant behind ${proxy}, ${rights}\n`;
  if (!announced.has(line)) process.stderr.write(line);
  announced.add(line);
}

function mustBeAllowed(method: string, target: string, called: string, writes: boolean): void {
  const { value } = operationRoutes.find(method, target.split('?')[0] ?? '') ?? {};
  const isRead = value === undefined ? /^(GET|HEAD)$/.test(method) : value.effect === 'none';
  if (isRead || writes) return;
  throw new Refused(
    `${called} would change the tenant: permit it with LOCKSTEP_THROUGH_WRITES=yes, or leave this test on the mock`,
  );
}

/** Replaces the mock's credential by the tenant's credential of the same name. Any other credential stays. */
function tenantsOwn(authorization: string | undefined): string | undefined {
  const credential = readCredential(authorization);
  if (credential.form !== 'issued') return authorization;
  const variable = variableOf(credential.name);
  const { [variable]: secret } = process.env;
  if (secret !== undefined && secret !== '')
    return authorization?.replace(`${credential.world}-${credential.name}`, () => secret);
  throw new Refused(
    `${variable} is not set: it holds the tenant's own credential in the place of ${credential.name}`,
  );
}

const ofConnection = ['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length'];

function sentOn(headers: ExchangeRequest['headers']): Record<string, string> {
  const kept = Object.entries({ ...headers, 'accept-encoding': 'identity' }).flatMap(
    ([name, value]) =>
      value === undefined || ofConnection.includes(name) ? [] : [[name, value] as const],
  );
  return Object.fromEntries(kept);
}

/** The spelling of header names in the mock's answers, because clients of the kits ask for these. */
function headersOf(headers: Readonly<Record<string, string | string[] | undefined>>) {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || ofConnection.includes(name) ? [] : [[name, [value].flat().join(', ')]],
  );
  return Object.fromEntries(kept) as Record<string, string>;
}

/**
 * Compares the status and then the fields of the body. It does not compare values, because a tenant has
 * others.
 */
function differencesOf(ours: ExchangeResponse, theirs: { status: number; body: string }): string[] {
  if (ours.status !== theirs.status)
    return [`the mock answers ${ours.status}, the tenant ${theirs.status}`];
  // A stream is an export, which is not JSON.
  if (typeof ours.body !== 'string') return [];
  const [mine, other] = [fieldsOf(parseJson(ours.body)), fieldsOf(parseJson(theirs.body))];
  return [
    ...missing(mine, other).map((at) => `only the mock has ${at}`),
    ...missing(other, mine).map((at) => `only the tenant has ${at}`),
    ...[...mine].flatMap(([at, types]) => {
      const found = other.get(at) ?? types;
      const isAlike = types.has('null') || found.has('null') || !types.isDisjointFrom(found);
      const told = `${[...types].join(' or ')} in the mock, ${[...found].join(' or ')} in the tenant`;
      return isAlike ? [] : [`${at || 'the body'} is ${told}`];
    }),
  ];
}

type Fields = Map<string, Set<string>>;

/** The types of each field, by its pointer; `*` means the items of a list. */
function fieldsOf(value: unknown, at = '', found: Fields = new Map()): Fields {
  found.set(at, (found.get(at) ?? new Set()).add(typeOf(value)));
  if (Array.isArray(value)) for (const item of value) fieldsOf(item, `${at}/*`, found);
  else if (isObject(value))
    for (const [name, item] of Object.entries(value))
      fieldsOf(item, at + pointerToken(name), found);
  return found;
}

/**
 * The fields that the same object of the other answer does not have. A list without items has no object to
 * compare.
 */
function missing(fields: Fields, other: Fields): string[] {
  return [...fields.keys()].filter((at) => {
    const parent = other.get(at.slice(0, at.lastIndexOf('/')));
    return at !== '' && !at.endsWith('/*') && !other.has(at) && parent?.has('object') === true;
  });
}
