/**
 * Sixty nights on virtual time, with a mock in place of the tenant: the gate's exit code and
 * headline of each.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { safetyFacts } from '../../conformance/areas/safety.ts';
import { gate } from '../../conformance/commands/gate.ts';
import type { CertifyOptions } from '../../conformance/commands/options.ts';
import { runSuite } from '../../conformance/commands/run-suite.ts';
import { readHistory } from '../../conformance/gate/history.ts';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import {
  NetworkError,
  type Transport,
  type WireResponse,
} from '../../conformance/target/target.ts';
import { createService } from '../../mock/kits/index.ts';
import { emit } from '../../mock/world/world-clock.ts';
import { deviationsOf } from '../areas/catalogue.ts';
import { inProcessTarget } from '../exam/in-process.ts';

/** The suite without variations. */
const { whole: _whole, ...own } = loadOwnSuite();
/** Only some scenarios, so that sixty nights take seconds. */
const files =
  /\/(folders\/(rename|fields)|environments\/(records|unknown-type)|lists\/deployments-records|staging\/(refusals|answer)|branches\/list|versions\/list)\.yaml$/;
const suite = {
  ...own,
  scenarios: own.scenarios.filter(({ location }) => files.test(location.file)),
};
const service = await createService();
const folder = mkdtempSync(join(tmpdir(), 'lockstep-nights-'));
afterAll(() => rmSync(folder, { recursive: true }));
const baseline = join(folder, 'baseline.yaml');
const history = join(folder, 'history');

/** A fault of the tenant in a night. */
interface Weather {
  readonly deviations?: readonly string[];
  readonly assumptions?: Readonly<Record<string, string>>;
  /** The call from which on the administrator's key has expired. */
  readonly expires?: number;
  /** Answers in place of the service; `call` is the number of the call in this night. */
  readonly answer?: (call: number, url: string) => WireResponse | 'no answer' | undefined;
  readonly latencyMs?: number;
}

const page = (status: number): WireResponse => ({
  status,
  headers: { 'content-type': 'text/html' },
  text: '<!doctype html><title>Back soon</title>',
});
const throttled: WireResponse = { status: 429, headers: { 'retry-after': '30' }, text: '' };

/** One answer of the night is wrong. The next try of its scenario passes. */
const flake: Weather['answer'] = (() => {
  let struck = false;
  return (call: number, url: string) => {
    if (call === 1) struck = false;
    if (struck || !url.endsWith('/versions')) return undefined;
    struck = true;
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      text: '{"data": [{}]}',
    };
  };
})();

interface Nights {
  /** The number of such nights in a row. */
  readonly nights: number;
  readonly what: string;
  readonly weather?: Weather;
  readonly says: readonly [exitCode: number, headline: RegExp];
  /** Runs before the first of these nights. */
  readonly before?: () => void;
  readonly update?: true;
  readonly drift?: 'fail';
}

const renames = { deviations: ['folders:name-cut'] };
const both = {
  deviations: ['folders:name-cut', 'drop:listEnvironments:data.environments.*.name'],
};
const flaky = { answer: flake };
const drifted = { assumptions: { 'STAGE-9': 'conflict' } };
const edit = (from: RegExp, to: string) => (): void =>
  writeFileSync(baseline, readFileSync(baseline, 'utf8').replaceAll(from, to));
const from = (first: number, answer: WireResponse | 'no answer'): Weather => ({
  answer: (call) => (call < first ? undefined : answer),
});

/** Sequences of nights: their number, their fault, and the expected exit code and headline. */
const table: readonly Nights[] = [
  { nights: 4, what: 'all is well', says: [0, /^GATE PASSED {2}nothing new$/] },
  {
    nights: 2,
    what: 'slow',
    weather: { latencyMs: 900 },
    says: [0, /^GATE PASSED {2}nothing new$/],
  },
  {
    nights: 2,
    what: 'a regression',
    weather: renames,
    says: [1, /^GATE FAILED {2}1 new: FOLDER-2 violated$/],
  },
  {
    nights: 1,
    what: 'it is accepted',
    weather: renames,
    update: true,
    says: [0, /^GATE PASSED {2}6 known, 6 of them unreviewed$/],
  },
  {
    nights: 3,
    what: 'it is known',
    before: edit(/reason: ""$/gm, 'reason: ticket 4711'),
    weather: renames,
    says: [0, /^GATE PASSED {2}6 known$/],
  },
  {
    nights: 1,
    what: 'another in addition',
    weather: both,
    says: [1, /^GATE FAILED {2}1 new: ENV-2 violated; 6 known$/],
  },
  {
    nights: 2,
    what: 'both are mended',
    says: [3, /^GATE STALE {2}6 known to fail, and held: FOLDER-2/],
  },
  { nights: 1, what: 'it is taken out', update: true, says: [0, /^GATE PASSED {2}nothing new$/] },
  {
    nights: 1,
    what: 'a flake',
    weather: flaky,
    says: [1, /^GATE FAILED {2}3 new: VER-2 unstable, VER-3 unstable, VER-4 unstable$/],
  },
  {
    nights: 1,
    what: 'it is accepted',
    weather: flaky,
    update: true,
    says: [0, /^GATE PASSED {2}3 known, 3 of them unreviewed$/],
  },
  {
    nights: 3,
    what: 'one good night proves nothing',
    before: edit(/reason: ""$/gm, 'reason: a race'),
    says: [0, /^GATE PASSED {2}3 known$/],
  },
  {
    nights: 1,
    what: 'down',
    weather: from(1, 'no answer'),
    says: [4, /^GATE COULD NOT RUN {2}9 of the scenarios could not run: no answer.*; 3 known$/],
  },
  {
    nights: 1,
    what: 'down in the middle of a write',
    weather: from(20, 'no answer'),
    says: [
      5,
      /^GATE UNSAFE {2}left changed: staging environment .*; 9 of the scenarios could not run: /,
    ],
  },
  {
    nights: 1,
    what: 'in maintenance',
    weather: from(1, page(503)),
    says: [
      4,
      /^GATE COULD NOT RUN {2}9 of the scenarios could not run: a gateway answered 503.*; 3 known$/,
    ],
  },
  {
    nights: 1,
    what: 'a page for everything',
    weather: from(1, page(200)),
    says: [
      4,
      /^GATE COULD NOT RUN {2}9 of the scenarios could not run: a web page came in place .*; 3 known$/,
    ],
  },
  {
    nights: 1,
    what: 'from the middle on',
    weather: from(20, page(200)),
    says: [4, /^GATE COULD NOT RUN {2}\d of the scenarios could not run: a web page came in place/],
  },
  {
    nights: 1,
    what: 'throttling',
    weather: from(1, throttled),
    says: [4, /^GATE COULD NOT RUN {2}9 of the scenarios could not run: a gateway answered 429/],
  },
  { nights: 1, what: 'all is well', says: [0, /^GATE PASSED {2}3 known$/] },
  {
    nights: 2,
    what: 'an expired key',
    weather: { expires: 8 },
    says: [4, /^GATE COULD NOT RUN {2}admin: it stopped working during the run; 3 known$/],
  },
  {
    nights: 1,
    what: 'a key that expires meanwhile',
    weather: { expires: 20 },
    says: [4, /^GATE COULD NOT RUN {2}admin: it stopped working during the run; 3 known$/],
  },
  {
    nights: 1,
    what: 'the flake comes again',
    weather: flaky,
    says: [0, /^GATE PASSED {2}3 known$/],
  },
  {
    nights: 1,
    what: 'a drift',
    weather: drifted,
    says: [0, /^GATE PASSED {2}3 known; silences answered differently: STAGE-9$/],
  },
  { nights: 1, what: 'it stays so', weather: drifted, says: [0, /^GATE PASSED {2}3 known$/] },
  {
    nights: 1,
    what: 'back, and that fails the night',
    drift: 'fail',
    says: [1, /^GATE FAILED {2}3 known; silences answered differently: STAGE-9$/],
  },
  {
    nights: 1,
    what: 'accepted',
    weather: renames,
    update: true,
    says: [0, /^GATE PASSED {2}9 known, 6 of them unreviewed$/],
  },
  {
    nights: 3,
    what: 'until a day',
    before: edit(/reason: ""$/gm, 'reason: mended soon\n    until: 2026-02-08'),
    weather: renames,
    says: [0, /^GATE PASSED {2}9 known$/],
  },
  {
    nights: 2,
    what: 'and no longer',
    weather: renames,
    says: [1, /^GATE FAILED {2}1 new: FOLDER-2 violated; 3 known$/],
  },
  {
    nights: 1,
    what: 'until another day',
    before: edit(/2026-02-08/g, '2026-03-09'),
    weather: renames,
    says: [0, /^GATE PASSED {2}9 known$/],
  },
  {
    nights: 1,
    what: 'mended',
    says: [3, /^GATE STALE {2}6 known to fail, and held: FOLDER-2; 3 known$/],
  },
  { nights: 1, what: 'taken out', update: true, says: [0, /^GATE PASSED {2}3 known$/] },
  { nights: 1, what: 'all is well', says: [0, /^GATE PASSED {2}3 known$/] },
  {
    nights: 2,
    what: 'no flake for fourteen nights',
    says: [3, /^GATE STALE {2}3 known to fail, and held: VER-2, VER-3, VER-4$/],
  },
  { nights: 1, what: 'taken out', update: true, says: [0, /^GATE PASSED {2}nothing new$/] },
  { nights: 12, what: 'all is well', says: [0, /^GATE PASSED {2}nothing new$/] },
];

async function run(
  night: number,
  { weather = {} }: Nights,
  options: CertifyOptions,
  startedAt: string,
) {
  let calls = 0;
  let expire = (): unknown => undefined;
  const around =
    (send: Transport): Transport =>
    async (request) => {
      if (request.url.includes('/__admin/')) return send(request);
      calls += 1;
      if (calls === weather.expires) expire();
      const answer = weather.answer?.(calls, request.url);
      if (answer === 'no answer') throw new NetworkError('nobody listens');
      const given = answer ?? (await send(request));
      return { ...given, durationMs: weather.latencyMs ?? 20 };
    };
  const target = await inProcessTarget(service, {
    around,
    world: { assumptions: weather.assumptions ?? {} },
    prepare: (world) => {
      world.deviations.set(deviationsOf(weather.deviations ?? []));
      expire = () => emit(world, { type: 'expireCredential', credential: 'admin' });
    },
  });
  try {
    const { report, evidence } = await runSuite({
      ...{ suite, target, safety: safetyFacts, version: '0' },
      options: {
        allow: 'permanent',
        convergenceMs: 30_000,
        standards: 'report',
        complete: false,
        jobs: 1,
        only: [],
        seed: night,
      },
      names: { id: `n${night}`, startedAt },
      confirm: options.confirm,
      budget: options.budget,
    });
    return {
      report,
      evidence: evidence.map(({ file, text }) => ({ file, text })),
    };
  } finally {
    await target.close();
  }
}

test('sixty nights', async () => {
  const said: string[] = [];
  const wanted: unknown[] = [];
  for (const nights of table) {
    nights.before?.();
    for (let index = 0; index < nights.nights; index += 1) {
      const number = said.length + 1;
      const now = new Date(Date.UTC(2026, 0, number, 2));
      const { gate: night, keep } = await gate(
        {
          baseUrl: 'https://localhost',
          baseline,
          history,
          suite,
          drift: nights.drift,
          updateBaseline: nights.update,
        },
        { env: {}, cwd: folder, safety: safetyFacts, version: '0', now: () => now },
        (options) => run(number, nights, options, now.toISOString()),
      );
      keep();
      const [code, headline] = nights.says;
      said.push(`night ${number}, ${nights.what}: ${night.night.exitCode} ${night.night.headline}`);
      const line = headline.source.slice(1);
      wanted.push(
        expect.stringMatching(new RegExp(`^night ${number}, ${nights.what}: ${code} ${line}`)),
      );
    }
  }
  expect(said).toEqual(wanted);
  expect(said).toHaveLength(60);
  const { nights, warnings } = readHistory(history);
  expect([nights.length, warnings]).toEqual([60, []]);
  expect(nights.map(({ latency }) => latency.listDeployments?.[0]).slice(3, 7)).toEqual([
    20, 900, 900, 20,
  ]);
});
