/**
 * Bad nights of the independent tenant, each followed by three healthy nights: the exit code and
 * headline of the gate.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { safetyFacts } from '../../conformance/areas/safety.ts';
import { gate } from '../../conformance/commands/gate.ts';
import { type RunInput, runSuite } from '../../conformance/commands/run-suite.ts';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import {
  NetworkError,
  type Target,
  type WireRequest,
  type WireResponse,
} from '../../conformance/target/target.ts';
import { derived } from '../../conformance/testing/derived.ts';
import { Random } from '../../spec/base/random.ts';
import type { Effect } from '../../spec/contract.ts';
import { brokenIn } from '../exam/suite-run.ts';
import { bench, withLedger } from '../tenant/measure.ts';
import type { State } from '../tenant/state.ts';
import type { Traits } from '../tenant/traits.ts';

/** The suite without variations. */
const { whole: _whole, ...own } = loadOwnSuite();
/** Only some scenarios, so that many nights take seconds. */
const files =
  /\/(authorisation|folders\/(rename|fields)|environments\/.*|lists\/deployments-records|staging\/(refusals|answer)|branches\/list|versions\/list|dbt\/.*|audit\/export|scim\/list|versions\/switch|recipients\/console-user)\.yaml$/;
/**
 * Cells of the authorisation table: valid callers, callers that become invalid, and refusals of a
 * valid caller.
 */
const cells = / as (admin|member|scoped|scopedElsewhere|scim|expired|adminApiKey|quoted|twice)$/;
const suite = {
  ...own,
  scenarios: own.scenarios.filter(
    ({ location, title }) =>
      files.test(location.file) && (!title.startsWith('Matrix') || cells.test(title)),
  ),
};

/** A fault of the tenant, of its tenant file, or of the machine. */
interface Weather {
  /** Answers in place of the service from this request of the night on, if `on` matches. */
  readonly from?: number;
  readonly answer?: WireResponse | 'no answer';
  readonly on?: (request: WireRequest, target: Target) => boolean;
  readonly latencyMs?: number;
  /** Credentials and bindings that are missing in the tenant file or the environment. */
  readonly without?: (name: string) => boolean;
  /** A binding that names a missing object. */
  readonly gone?: string;
  /** The machine's clock jumps by years, back and forth. */
  readonly jumps?: true;
  /** The number of days that the clock is ahead. */
  readonly ahead?: number;
  /** The disk that is full: that of the ledger and the history, or the temporary one. */
  readonly full?: 'disk' | 'temporary disk';
  /** The changes that other users make. */
  readonly traits?: Traits;
  /** A change that another user makes before each request. */
  readonly colleague?: (state: State, call: number) => void;
}

interface BadNight {
  readonly what: string;
  readonly weather: Weather;
  /**
   * The night is also played with writes. Then the run may fail to put an object back (5), and
   * there is no new finding.
   */
  readonly writes?: true;
  readonly says: Says;
}

type Says = readonly [exitCode: number | '[01]', headline: RegExp];

const json = (status: number): WireResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  text: '{"error": "E-003"}',
});
const page = (status: number, more: Record<string, string> = {}): WireResponse => ({
  status,
  headers: { 'content-type': 'text/html', ...more },
  text: '<!doctype html><title>Back soon</title>',
});
const login = page(302, { location: 'https://sign-in.example/' });
const throttled: WireResponse = { status: 429, headers: { 'retry-after': '600' }, text: '' };
const holds =
  (name: string): NonNullable<Weather['on']> =>
  ({ headers }, { credentials }) =>
    headers.authorization === `Bearer ${credentials.get(name)?.secret}`;

const couldNotRun = /^GATE COULD NOT RUN {2}/;
const nothingNew: Says = [0, /^GATE PASSED {2}nothing new$/];
const pages = /^GATE COULD NOT RUN {2}.*a web page came in place of answers/;
const table: readonly BadNight[] = [
  {
    what: 'slow',
    writes: true,
    weather: { latencyMs: 900 },
    says: [0, /^GATE PASSED {2}nothing new$/],
  },
  { what: 'down', weather: { from: 1, answer: 'no answer' }, says: [4, couldNotRun] },
  {
    what: 'down meanwhile',
    writes: true,
    weather: { from: 60, answer: 'no answer' },
    says: [4, couldNotRun],
  },
  { what: 'in maintenance', weather: { from: 1, answer: page(503) }, says: [4, couldNotRun] },
  { what: 'a page', weather: { from: 1, answer: page(200) }, says: [4, pages] },
  {
    what: 'a page from then on',
    weather: { from: 60, answer: page(200) },
    says: [4, pages],
  },
  { what: 'a login', weather: { from: 1, answer: login }, says: [4, pages] },
  {
    what: 'a login from then on',
    writes: true,
    weather: { from: 60, answer: login },
    says: [4, pages],
  },
  {
    what: 'throttling',
    writes: true,
    weather: { from: 60, answer: throttled },
    says: [4, couldNotRun],
  },
  {
    what: 'an expired key',
    weather: { from: 1, answer: json(401), on: holds('admin') },
    says: [4, /^GATE COULD NOT RUN {2}admin: it is answered 401 wherever it was tried/],
  },
  {
    what: 'a key that expires meanwhile',
    writes: true,
    weather: { from: 60, answer: json(401), on: holds('admin') },
    says: [4, /^GATE COULD NOT RUN {2}admin: it stopped working during the run/],
  },
  {
    what: 'a revoked key',
    weather: { from: 1, answer: json(403), on: holds('admin') },
    says: [4, /^GATE COULD NOT RUN {2}admin: it is answered 403 wherever it was tried/],
  },
  {
    what: 'a key that is revoked meanwhile',
    weather: { from: 60, answer: json(403), on: holds('admin') },
    says: [4, /^GATE COULD NOT RUN {2}admin: it stopped working during the run/],
  },
  {
    what: 'an expired key is accepted',
    weather: {
      from: 1,
      answer: { ...json(200), text: '{"data": {"deployments": []}}' },
      on: holds('expired'),
    },
    says: [1, /^GATE FAILED {2}\d+ new: AUTH-4 violated/],
  },
  {
    what: 'all secrets are missing',
    weather: {
      without: (name) => /^(admin|member|o?auth|memberOauth|scoped|embed|expired|scim)$/.test(name),
    },
    says: [4, /^GATE COULD NOT RUN {2}nothing was evaluated/],
  },
  {
    what: 'one of the secrets is missing',
    weather: { without: (name) => name === 'scoped' },
    says: [1, /^GATE FAILED {2}\d+ no longer tried: AUTH-8/],
  },
  {
    what: 'a binding is missing',
    weather: { without: (name) => name === 'otherDeployment' },
    says: [1, /^GATE FAILED {2}\d+ no longer tried: AUTH-/],
  },
  {
    what: 'the only binding of an area is missing',
    weather: { without: (name) => /dbtSync/i.test(name) },
    says: [4, /^GATE COULD NOT RUN {2}nothing of dbt was tried, and it was before/],
  },
  {
    what: 'a binding names what is gone',
    weather: { gone: 'sharedBranch' },
    says: [4, /^GATE COULD NOT RUN {2}sharedBranch: the branches list holds no gone/],
  },
  {
    what: 'one operation alone answers with a page',
    weather: { from: 1, answer: page(200), on: ({ url }) => /\/versions/.test(url) },
    says: [1, /^GATE FAILED {2}\d+ new: /],
  },
  { what: 'a clock that jumps', writes: true, weather: { jumps: true }, says: nothingNew },
  {
    what: 'a clock that is years ahead, and a silence answered differently',
    weather: {
      ahead: 4000,
      from: 1,
      answer: json(425),
      on: ({ url }, { bindings }) => url.includes(`${bindings.runningDbtSync?.id}`),
    },
    says: [0, /^GATE PASSED {2}silences answered differently: DBT-8$/],
  },
  { what: 'a clock that is years late', weather: { ahead: -4000 }, says: nothingNew },
  {
    what: 'a full disk',
    writes: true,
    weather: { full: 'disk' },
    says: [4, /^GATE COULD NOT RUN {2}ENOSPC/],
  },
  {
    what: 'a full temporary disk',
    writes: true,
    weather: { full: 'temporary disk' },
    says: [4, couldNotRun],
  },
  {
    what: 'colleagues at work',
    writes: true,
    weather: { traits: { others: { every: 3 }, moving: { every: 7 } } },
    // A change by another user may delay a change of the run.
    says: [0, /^GATE PASSED {2}(nothing new|\d+ late: .*)$/],
  },
  {
    what: 'a colleague who renames a folder of the tenant file',
    writes: true,
    weather: {
      colleague: ({ folders }, call) => {
        const folder = folders.find(({ id }) => id === 3310);
        if (call === 80 && folder !== undefined) folder.name = 'Renamed by Ana';
      },
    },
    // If the outage comes between a write and its read, the check is unstable at worst.
    says: ['[01]', /^GATE (?!.*violated)/],
  },
];

/** A target that is the tenant with this fault. */
function targetIn(weather: Weather): Target {
  const {
    from = Number.POSITIVE_INFINITY,
    answer,
    on = () => true,
    without = () => false,
  } = weather;
  const { tenant, target } = bench({ habits: [], traits: weather.traits ?? {} });
  const kept = <V>(all: Iterable<readonly [string, V]>) =>
    [...all].filter(([name]) => !without(name));
  const bindings = Object.fromEntries(kept(Object.entries(target.bindings)));
  const { gone = '' } = weather;
  if (bindings[gone] !== undefined) bindings[gone] = { name: 'gone' };
  let calls = 0;
  return {
    ...target,
    credentials: new Map(kept(target.credentials)),
    bindings,
    transport: async (request, signal) => {
      calls += 1;
      weather.colleague?.(tenant.state(), calls);
      const strikes = calls >= from && request.url.startsWith('https:') && on(request, target);
      if (!strikes || answer === undefined) {
        const given = await target.transport(request, signal);
        return { ...given, durationMs: weather.latencyMs ?? 20 };
      }
      if (answer === 'no answer') throw new NetworkError('nobody listens');
      return answer;
    },
  };
}

/** A run of the suite on the tenant. */
function ranIn(weather: Weather, allow: Effect, day = 1, more: Partial<RunInput> = {}) {
  const { ahead = 0, full, jumps } = weather;
  return withLedger(async (open) => {
    const openLedger = full === 'disk' ? noSpace : open;
    if (full === 'temporary disk') vi.stubEnv('TMPDIR', join(parent, 'nowhere'));
    if (jumps) jump();
    return await runSuite({
      ...{ suite, safety: safetyFacts, version: '0', openLedger, ...more },
      target: targetIn(weather),
      names: { id: `n${day}`, startedAt: timeOf(day + ahead).toISOString() },
      options: {
        ...{ allow, convergenceMs: 20, standards: 'report', complete: false },
        ...{ jobs: 8, only: [], seed: day },
      },
    }).finally(() => {
      vi.unstubAllEnvs();
      vi.restoreAllMocks();
    });
  });
}

const timeOf = (day: number): Date => new Date(Date.UTC(2026, 0, day, 2));

function noSpace(): never {
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { syscall: 'write' });
}

/** Makes the clock jump by years, back and forth. */
function jump(): void {
  const [random, now] = [new Random(7), Date.now()];
  vi.spyOn(Date, 'now').mockImplementation(() => now + random.below(10) * 3e10);
}

/**
 * Plays one night with the gate; its files are in `folder`. Returns the exit code and the headline.
 */
async function night(
  cwd: string,
  allow: Effect,
  weather: Weather,
  more: object = {},
  run: Partial<RunInput> = {},
) {
  const nights = join(cwd, 'nights');
  const day = existsSync(nights) ? readdirSync(nights).length + 1 : 1;
  const options = { baseUrl: 'https://harbour.example', baseline: 'known.yaml', history: 'nights' };
  const { gate: found, keep } = await gate(
    { ...options, suite, allow, ...more },
    {
      ...{ env: {}, cwd, safety: safetyFacts, version: '0' },
      now: () => timeOf(day + (weather.ahead ?? 0)),
    },
    ({ confirm, budget }) => ranIn(weather, allow, day, { confirm, budget, ...run }),
  );
  return `${keep()} ${found.night.headline}`;
}

const parent = mkdtempSync(join(tmpdir(), 'lockstep-nights-'));
/** Nights without one answer of the service, or without a ledger. */
const withoutReport: readonly string[] = [
  ...['down', 'in maintenance', 'a page', 'a login', 'a full disk', 'a full temporary disk'],
];
afterAll(() => rmSync(parent, { recursive: true }));
const healthy = '0 GATE PASSED  nothing new';

/** Three healthy nights after a bad one must report nothing new, and nothing missing. */
async function threeHealthyNights(folder: string, allow: Effect): Promise<void> {
  for (let count = 0; count < 3; count += 1) expect(await night(folder, allow, {})).toBe(healthy);
}

describe.each(['none', 'reversible', 'permanent'] as const)('--allow %s', (allow) => {
  const first = join(parent, allow);
  beforeAll(async () => {
    mkdirSync(first);
    expect(await night(first, allow, {})).toBe(healthy);
  });

  const nights = table.filter(({ writes = false }) => allow === 'none' || writes);
  test.each(nights)('$what, then three healthy nights', async ({ what, weather, says }) => {
    const folder = join(parent, `${allow} ${what}`);
    cpSync(first, folder, { recursive: true });
    const [code, headline] = says;
    const said = await night(folder, allow, weather);
    if (!said.startsWith('5 GATE UNSAFE')) {
      expect(said).toMatch(new RegExp(`^${code} `));
      expect(said.slice(2)).toMatch(headline);
    } else {
      expect(allow).not.toBe('none');
      expect(said).not.toContain(' new: ');
    }
    await threeHealthyNights(folder, allow);
  });

  test('the second of two gates at once is refused, and names the first', async () => {
    const folder = join(parent, `two ${allow}`);
    cpSync(first, folder, { recursive: true });
    const held = await withLedger(async (openLedger) => {
      const other = openLedger();
      const refused = await night(folder, allow, {}, {}, { openLedger });
      other.close();
      return refused;
    });
    expect(held).toMatch(/^5 GATE UNSAFE {2}another run \(measure, process \d+\) holds /);
    await threeHealthyNights(folder, allow);
  });

  test('a smoke test calls each permitted operation once, and reports no lost coverage', async () => {
    const folder = join(parent, `smoke ${allow}`);
    cpSync(first, folder, { recursive: true });
    const calls = { none: 7, reversible: 10, permanent: 12 }[allow];
    const said = await night(folder, allow, {}, { smoke: true });
    expect(said).toMatch(new RegExp(`^0 GATE PASSED {2}nothing new; ${calls} of \\d+ ran$`));
    expect(await night(folder, allow, {})).toBe(healthy);
  });

  test('lost coverage can be accepted, and is stale once the check runs again', async () => {
    if (allow !== 'none') return;
    const folder = join(parent, 'accepted');
    cpSync(first, folder, { recursive: true });
    const lacks: Weather = { without: (name) => name === 'otherDeployment' };
    const tonight = (weather: Weather, more?: object) => night(folder, allow, weather, more);
    expect(await tonight(lacks)).toMatch(/^1 GATE FAILED {2}\d+ no longer tried/);
    expect(await tonight(lacks)).toMatch(/^1 GATE FAILED {2}\d+ no longer tried/);
    expect(await tonight(lacks, { updateBaseline: true })).toMatch(/^0 GATE PASSED {2}\d+ known, /);
    expect(await tonight(lacks)).toMatch(/^0 GATE PASSED {2}\d+ known, /);
    expect(await tonight({})).toMatch(/^3 GATE STALE {2}\d+ known to fail, and held: AUTH-/);
    expect(await tonight({}, { stale: 'warn' })).toMatch(
      /^0 GATE PASSED {2}\d+ known to fail, and /,
    );
    expect(await tonight({}, { updateBaseline: true })).toBe(healthy);
  });
});

/** Answers in place of the service, and the request from which they begin. */
const notTheService = [
  ['a login', login],
  ['a page', page(200)],
  [
    'a page with a comment before it',
    { ...page(200), text: '<!-- v2 -->\n<html lang="en"></html>' },
  ],
  ['a page of XHTML', { ...page(200), text: '<?xml version="1.0"?><!DOCTYPE html><html></html>' }],
] as const;

test.each(
  notTheService.flatMap(([what, answer]) => [1, 40, 90].map((from) => ({ what, answer, from }))),
)(
  'certify: $what from request $from on does not count as the service',
  async ({ answer, from }) => {
    const ran = ranIn({ from, answer }, 'none');
    const came = await ran.then(
      ({ report }) => [report.exitCode, brokenIn(report)],
      ({ message }: Error) => [4, [], message],
    );
    expect(came.slice(0, 2)).toEqual([4, []]);
  },
);

describe('the certificate of a bad night follows from its evidence', () => {
  const all = (['none', 'permanent'] as const).flatMap((allow) =>
    table
      .filter(({ writes = false }) => allow === 'none' || writes)
      .map((one) => ({ ...one, allow })),
  );
  test.each(all)('$what, --allow $allow', async ({ what, allow, weather }) => {
    // Some nights end without a report.
    const ran = await ranIn(weather, allow).catch(() => undefined);
    if (ran === undefined) return expect(withoutReport).toContain(what);
    const { differences, problems } = await derived(ran, suite);
    expect([differences, problems]).toEqual([[], []]);
  });
});
