import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { contract, type Operation, type OperationId, operation } from '../../../spec/contract.ts';
import { operationRoutes } from '../../../spec/routes.ts';
import { captureCalls as calls } from '../../areas/capture.ts';
import {
  AnswerTooLarge,
  NetworkError,
  type Target,
  type WireResponse,
} from '../../target/target.ts';
import { completeBindings } from '../../target/tenant.ts';
import { countEvents } from './audit.ts';
import { capture } from './capture.ts';
import { Pseudonyms } from './names.ts';

const names = new Pseudonyms('a key');

/** Answers of a service by operation; 403 for what is left out. */
type Answers = Partial<Record<OperationId, (url: URL) => unknown>>;

function targetOf(answers: Answers, bindings: JsonObject = {}, features = {}): Target {
  const credentials = ['admin', 'member', 'scim'].map(
    (name) => [name, { secret: `secret-of-${name}`, claims: {} }] as const,
  );
  return {
    ...{ kind: 'tenant', baseUrl: 'https://cnry0badc0de.example', features, aliases: new Map() },
    credentials: new Map(credentials),
    bindings: completeBindings(bindings),
    wait: async () => {},
    close: async () => {},
    async transport({ method, url }): Promise<WireResponse> {
      expect(method).toBe('GET');
      const asked = new URL(url);
      const id = operationRoutes.at(asked.pathname).get('GET')?.value.id;
      const answer = id && answers[id]?.(asked);
      const headers = { 'content-type': 'application/json' };
      if (answer === undefined) return { status: 403, headers, text: '{"error":"cnry403403"}' };
      return {
        status: 200,
        headers,
        text: typeof answer === 'string' ? answer : JSON.stringify(answer),
      };
    },
  };
}

const page = (name: string, all: readonly object[]) => (url: URL) => {
  const offset = Number(url.searchParams.get('offset') ?? 0);
  const items = all.slice(offset, offset + 20);
  return { data: { [name]: items }, pagination: { offset, limit: 20, total: all.length } };
};

/** Makes values of a schema in which every text and every identifier is a canary, extra fields too. */
class Canaries {
  readonly set: string[] = [];
  /** Whether a text has the form that the field asks for, with a canary in it. */
  readonly #plausible: boolean;
  #numbers = 73_000_001;

  constructor(plausible: boolean) {
    this.#plausible = plausible;
  }

  word(): string {
    const made = `cnry${randomBytes(5).toString('hex')}`;
    this.set.push(made);
    return made;
  }

  text(example: unknown): string {
    const word = this.word();
    const form = String(example ?? '');
    if (!this.#plausible) return word;
    if (/^\d+\.\d+\.\d+$/.test(form) || !Number.isNaN(Date.parse(form))) return form;
    if (form.includes('://'))
      return `https://${word}:${this.word()}@${this.word()}.com/${this.word()}?k=${this.word()}`;
    if (form.includes('@')) return `${word}.${this.word()}@${this.word()}.com`;
    if (/:v\d/.test(form)) return `${word}.io/${this.word()}:v1.6.3`;
    return form.includes('.') ? `${word}.${this.word()}.com` : word;
  }

  value(schema: JsonObject, field = ''): unknown {
    const { type, properties, items, enum: some, examples, anyOf, oneOf } = schema;
    const [branch] = [anyOf, oneOf].flatMap((one) => (Array.isArray(one) ? one : []));
    if (isObject(branch)) return this.value(branch, field);
    const [first] = Array.isArray(some) ? some : Array.isArray(examples) ? examples : [];
    switch ([type].flat()[0]) {
      case 'object': {
        const fields = Object.entries(isObject(properties) ? properties : {});
        const own = fields.map(([name, one]) => [name, this.value(one as JsonObject, name)]);
        return { ...Object.fromEntries(own), [`x${this.word()}`]: { deep: [this.word()] } };
      }
      case 'array':
        return [this.value(items as JsonObject, field), this.value(items as JsonObject, field)];
      case 'integer':
      case 'number':
        return /id$/i.test(field) ? this.number() : 7;
      case 'boolean':
        return true;
      default:
        if (this.#plausible && Array.isArray(some)) return first;
        return this.#plausible && /^\d+$/.test(String(first))
          ? String(this.number())
          : this.text(first);
    }
  }

  number(): number {
    this.set.push(String(++this.#numbers));
    return this.#numbers;
  }
}

const schemaOf = (item: Operation): JsonObject =>
  (item.responseFor(200)?.schema ?? {}) as unknown as JsonObject;

describe.each([
  ['raw', false],
  ['in the form of each field', true],
])('canaries %s', (_title, plausible) => {
  test.for(
    [...contract.operations.values()].filter(({ method }) => method === 'GET').map(({ id }) => id),
  )('in each field of %s: none is in the fixture or in the notes', async (id) => {
    const canaries = new Canaries(plausible);
    const filled = canaries.value(schemaOf(operation(id)));
    const branch = (canaries.value(schemaOf(operation('setStagingEnvironment'))) as JsonObject)
      .data;
    const cells = () => [canaries.text('ana@example.com'), canaries.word(), canaries.word()];
    const csv = `when,who,what,on\r\n2026-01-01T00:00:00Z,${cells()}\r\n2026-01-02T00:00:00Z,${cells()}\r\n`;
    const item = { id: '1', name: canaries.word(), created_at: '2026-01-01T00:00:00Z' };
    const usual: Answers = { listDeployments: page('deployments', [item, { ...item, id: '2' }]) };
    const special: Answers = {
      listBranches: () => ({ [canaries.word()]: [branch] }),
      exportAuditLogs: () => csv,
    };
    const bindings = {
      ...{ deployment: { id: '1' }, otherDeployment: { id: canaries.word() } },
      ...{ folder: { id: canaries.number() }, notification: { id: canaries.number() } },
      ...{ sharedBranch: { name: canaries.word() }, dbtSync: { id: canaries.word() } },
      environment: { id: canaries.word() },
      audit: {
        eventName: canaries.word(),
        userEmail: canaries.text('a@b.c'),
        search: canaries.word(),
      },
      recipients: {
        users: [{ email: canaries.text('a@b.c') }, { userId: canaries.number() }],
        embedUsers: [{ embedTenantName: canaries.word(), externalId: canaries.text('a@b.c') }],
      },
    };
    const answers = { ...usual, [id]: () => filled, ...special };
    const { fixture, notes } = await capture(targetOf(answers, bindings), { calls, names });
    const text = `${JSON.stringify(fixture)}\n${notes.join('\n')}`.toLowerCase();
    expect(canaries.set.length).toBeGreaterThan(12);
    expect(canaries.set.filter((canary) => text.includes(canary))).toEqual([]);
    expect(text).not.toMatch(/cnry|secret-of/);
  });
});

test('the search for canaries finds one if names are kept', async () => {
  const item = { id: '1', name: 'cnry12345678', created_at: '2026-01-01T00:00:00Z' };
  const target = targetOf({ listDeployments: page('deployments', [item]) });
  const { fixture } = await capture(target, { calls, names: new Pseudonyms('a key', ['names']) });
  expect(JSON.stringify(fixture)).toContain('cnry12345678');
});

const deployments = (many: number) =>
  Array.from({ length: many }, (_, index) => ({ id: String(1000 + index), name: `Team ${index}` }));

describe('partial rights', () => {
  test('a fixture has the readable parts, and names the others', async () => {
    const answers = { listDeployments: page('deployments', deployments(50)) };
    const { fixture, notes, requests } = await capture(targetOf(answers), { calls, names });
    expect(fixture.deployments).toHaveLength(50);
    expect(fixture.features).toEqual({ auditLog: false });
    expect(fixture).toMatchObject({ users: [{ admin: true }, { edits: [] }], audit: [] });
    expect(notes).toContain(
      'the versions list was refused 20 times (403), and not asked for again: the fixture has none of it',
    );
    expect(notes).toContain(
      'the SCIM list of users was refused 1 time (403): the fixture has none of it',
    );
    expect(requests).toBeLessThan(80);
  });

  test('without a deployments list it uses the bound deployments', async () => {
    const bindings = { deployment: { id: '7' }, otherDeployment: { id: '9' } };
    const { fixture } = await capture(targetOf({}, bindings), { calls, names });
    expect(fixture.deployments).toHaveLength(2);
    expect(fixture.bindings).toMatchObject({ deployment: { id: names.id('7') } });
  });

  test('an audit log without recent events is read in the bound period', async () => {
    const cells = ['UserLogin,ana@example.com', 'KeyCreated,ben@example.com'];
    const rows = cells.map((cell) => `2025-03-06T00:00:00Z,${cell}\r\n`).join('');
    const answers: Answers = {
      listDeployments: page('deployments', deployments(1)),
      exportAuditLogs: ({ searchParams }) =>
        `when,event,who\r\n${searchParams.get('start') === '2025-03-05' ? rows : ''}`,
    };
    const bindings = { audit: { eventName: 'UserLogin', start: '2025-03-05', end: '2025-03-20' } };
    const { fixture, notes } = await capture(targetOf(answers, bindings), { calls, names });
    expect(fixture.audit).toHaveLength(2);
    expect(fixture.bindings).toMatchObject({ audit: { startDaysAgo: 24, endDaysAgo: 6 } });
    expect(notes.join()).toContain('as the bound period of it');
  });

  test('a feature that is off is not read', async () => {
    const target = targetOf({}, { deployment: { id: '7' } }, { auditLog: false });
    const { notes } = await capture(target, { calls, names });
    expect(notes).toContain('the tenant file says that the audit log is off: the fixture has none');
    expect(notes.some((note) => note.startsWith('the audit log was refused'))).toBe(false);
  });
});

describe('an answer that is too large', () => {
  const usual: Answers = { listDeployments: page('deployments', deployments(3)) };
  const days = (url: URL) =>
    (Date.now() - Date.parse(url.searchParams.get('start') ?? '')) / 86_400_000;
  const row = '2026-01-01T00:00:00Z,Login\r\n';
  const log = (url: URL) => `time,eventName\r\n${row.repeat(days(url) > 8 ? 2_000_000 : 3)}`;

  test('of the audit log is requested again with fewer days, and noted as a part', async () => {
    const answers = { ...usual, exportAuditLogs: log };
    const { fixture, notes } = await capture(targetOf(answers), { calls, names });
    expect(fixture.audit).toHaveLength(3);
    expect(notes.join('\n')).toMatch(
      /the audit log was refused 1 time \(the answer is too large: .*only the part that was read/,
    );
  });

  test('of one list does not prevent reading the others', async () => {
    const huge = { data: 'x'.repeat(9 * 2 ** 20) };
    const answers = { ...usual, listEnvironments: () => huge };
    const { fixture, notes } = await capture(targetOf(answers), { calls, names });
    expect(fixture.deployments).toHaveLength(3);
    expect(notes.join('\n')).toMatch(/environments.* was refused 3 times .*: .*none of it/);
  });

  test('for the connection is the same; a service that is away or hangs ends it', async () => {
    const failing = (error: Error): Target => {
      const target = targetOf(usual);
      const transport: Target['transport'] = async (request) => {
        if (request.url.includes('/environments')) throw error;
        return target.transport(request);
      };
      return { ...target, transport };
    };
    const { fixture } = await capture(failing(new AnswerTooLarge('it is larger than 32 MiB')), {
      ...{ calls, names },
    });
    expect(fixture.deployments).toHaveLength(3);
    for (const isFinal of [true, false]) {
      const away = capture(failing(new NetworkError('nothing came', isFinal)), { calls, names });
      await expect(away).rejects.toThrow('no answer: nothing came');
    }
  });
});

test('the same tenant and key give the same fixture; a new object changes no other', async () => {
  const read = async (many: number, key = 'a key') => {
    const answers = { listDeployments: page('deployments', deployments(many)) };
    const { fixture } = await capture(targetOf(answers), { calls, names: new Pseudonyms(key) });
    return fixture;
  };
  const first = await read(30);
  expect(await read(30)).toEqual(first);
  const more = await read(31);
  expect((more.deployments as unknown[]).slice(0, 30)).toEqual(first.deployments);
  expect((more.branches as unknown[]).slice(0, 30)).toEqual(first.branches);
  expect(await read(30, 'another')).not.toEqual(first);
});

test('invented ids have the order of the real ones', async () => {
  const places = ['3', '40', '1000', '1200', '1210', '4100'];
  const answers: Answers = {
    listDeployments: page(
      'deployments',
      places.toReversed().map((id) => ({ id, name: `Team ${id}` })),
    ),
    listScimUsers: () => ({
      Resources: places.map((id) => ({ id: `u${id}`, userName: `a${id}@b.example` })),
    }),
  };
  const { fixture } = await capture(targetOf(answers), { calls, names: new Pseudonyms('a key') });
  for (const name of ['deployments', 'users']) {
    const ids = (fixture[name] as JsonObject[]).map(({ id }) => Number(id));
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    expect(ids.map((id) => String(id).length).toSorted()).toEqual([1, 2, 4, 4, 4, 4]);
    expect(ids.filter((id) => places.includes(String(id)))).toEqual([]);
  }
});

test('ten thousand deployments are read in memory that does not grow', async () => {
  const answers: Answers = {
    listDeployments: page('deployments', deployments(10_000)),
    listEnvironments: page('environments', [
      // An answer holds much that a fixture does not.
      { id: '1', name: 'production', type: 'production', notes: 'x'.repeat(20_000) },
    ]),
  };
  const told: number[] = [];
  const before = process.memoryUsage().heapUsed;
  const { fixture } = await capture(targetOf(answers), {
    calls,
    names,
    onProgress: (done) => told.push(done),
  });
  expect(fixture.environments).toHaveLength(10_000);
  expect(told.at(-1)).toBe(10_000);
  // Without this, the heap keeps the answers until the next collection.
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  // The test reads 200 MB.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 * 2 ** 20);
}, 120_000);

test('a column of actors is not a column of events', () => {
  const at = (day: number, row: string) => `2026-01-0${day}T00:00:00Z,${row}`;
  const lines = [at(1, 'Mira Chen,Login'), at(2, 'Jo Li,Login'), at(3, 'Jo Li,Logout')];
  const rows = `${['time,actionBy,eventName', ...lines].join('\n')}\n`;
  const counts = countEvents(rows, {});
  expect(counts).toMatchObject([{ name: 'Login' }, { name: 'Logout' }]);
});
