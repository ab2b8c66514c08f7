/** A campaign judges how a client handles the loss of each of its requests. */
import { describe, expect, test } from 'vitest';
import { bothWays, NOW, type Send } from '../testing/both-ways.ts';
import { createMock, type LossOptions, type LossReport, lossPhases, type World } from './index.ts';

const deployments = '/api/v1/deployments';
const recipients = `${deployments}/1/notifications/31/recipients`;
const add = { method: 'POST', body: '{"recipients":[{"userId":2}]}' };
const tokens = `${deployments}/1/environments/201/tokens-for-meta-sync`;
const token = { method: 'POST', body: '{"security_context":{"tenant_id":42}}' };
const rename = { method: 'PUT', body: '{"name":"Money"}' };
/** Ample for an answer that comes at all, ms. */
const PATIENCE = 1500;

/** Takes an answer for an error unless it is a good one, and reads it to its end. */
const careful =
  (send: Send): Send =>
  async (path, init) => {
    const response = await send(path, init);
    if (!response.ok) throw new Error(`${response.status}`);
    return new Response(response.status === 204 ? null : await response.text(), response);
  };
/** Gives up in time. */
const impatient =
  (send: Send): Send =>
  (path, init) =>
    send(path, { ...init, signal: AbortSignal.timeout(PATIENCE) });
const retrying =
  (send: Send, pauseMs = 0): Send =>
  (path, init) =>
    send(path, init).catch(async () => {
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      return send(path, init);
    });

/** The findings, as `kind phase`. */
const found = (report: LossReport) => report.findings.map(({ kind, phase }) => `${kind} ${phase}`);
const outcomes = (report: LossReport) =>
  Object.fromEntries(report.runs.map(({ phase, outcome }) => [phase, outcome]));
/** A stall takes as long as the patience of the client; the last four have tests of their own. */
const {
  stall,
  'html-gateway': html,
  'empty-body': empty,
  'not-json': notJson,
  'slow-drip': drip,
  ...phases
} = lossPhases;
const everyPhase = Object.keys(phases);
const all = (outcome: string) => Object.fromEntries(everyPhase.map((phase) => [phase, outcome]));

bothWays('a campaign', ({ newWorld, sendTo }) => {
  const campaign = async (client: (send: Send) => unknown, options: LossOptions = {}) => {
    const world = await newWorld();
    return world.losses((fork) => client(sendTo(fork)), {
      phases,
      timeoutMs: 20_000,
      jobs: 5,
      ...options,
    });
  };

  test('a client that reports each loss: nothing is found', async () => {
    const report = await campaign((send) => careful(send)(deployments));
    expect(outcomes(report)).toEqual(all('failed'));
    expect(report).toMatchObject({ ok: true, findings: [] });
    expect(report.text).toBe('1 request, 5 runs: 5 failed');
  });

  test('a client that reads again: it recovers', async () => {
    const report = await campaign((send) => retrying(careful(send))(deployments));
    expect(outcomes(report)).toEqual(all('recovered'));
    expect(report.ok).toBe(true);
  });

  test('a client that posts again: a duplicate wherever the first one was committed', async () => {
    const report = await campaign((send) => retrying(careful(send))(tokens, token));
    expect(found(report)).toEqual(everyPhase.slice(1).map((phase) => `duplicate-write ${phase}`));
    expect(report.ok).toBe(false);
    expect(report.findings[0]?.text).toBe(
      `duplicate-write: POST ${tokens}, after-commit: carried out, then carried out again; nothing says that createMetaSyncToken may be repeated`,
    );
  });

  test('a POST that the service promises to be idempotent (RECIP-7): no failure', async () => {
    const report = await campaign((send) => retrying(careful(send))(recipients, add));
    expect(found(report)).toEqual(everyPhase.slice(1).map((phase) => `duplicate-write ${phase}`));
    expect(report.ok).toBe(true);
  });

  test('a repeated PUT is a finding, but not a failure', async () => {
    const report = await campaign((send) =>
      retrying(careful(send))(`${deployments}/1/folders/11`, rename),
    );
    expect(report.ok).toBe(true);
    expect(report.findings.every(({ idempotent }) => idempotent)).toBe(true);
    expect(report.findings).toHaveLength(4);
  });

  test('failures come first, findings that are not failures come apart', async () => {
    const report = await campaign(
      async (send) => {
        await retrying(careful(send))(`${deployments}/1/folders/11`, rename);
        await retrying(careful(send))(tokens, token);
        await send(`${deployments}/1/folders/99`, rename);
      },
      { phases: { late: { phase: 'after-commit', status: 504 } } },
    );
    expect(report.text.split('\n')).toEqual([
      '3 requests, 3 runs: 2 recovered, 1 swallowed',
      `duplicate-write: POST ${tokens}, late: carried out, then carried out again; nothing says that createMetaSyncToken may be repeated`,
      `swallowed-error: PUT ${deployments}/1/folders/99, late: lost, yet the client succeeded, though the 404 that comes without the loss never came`,
      'for information; these are not failures:',
      `  duplicate-write: PUT ${deployments}/1/folders/11, late: carried out, then carried out again, which changed nothing more: updateFolder may be repeated`,
      `  refused without a loss: updateFolder, PUT ${deployments}/1/folders/99: 404, Deployment 1 has no folder 99`,
    ]);
    expect(report.findings.map(({ idempotent }) => idempotent)).toEqual([false, false, true]);
  });

  test('a client that looks before it posts again has neither lost nor doubled anything', async () => {
    const report = await campaign(async (send) => {
      const client = careful(send);
      await client(recipients, add).catch(async () => {
        const log = await client('/api/v1/audit-logs/export');
        if (!(await log.text()).includes('notification 31')) await client(recipients, add);
      });
    });
    expect(outcomes(report)).toEqual(all('recovered'));
    expect(report.findings).toEqual([]);
  });

  /** Sends until a status comes, whatever else does. */
  const until =
    (wanted: number) =>
    async (send: Send, path: string, init?: RequestInit): Promise<void> => {
      for (let sent = 0; sent < 3; sent += 1) {
        const status = await send(path, init).then(
          (response) => response.status,
          () => 0,
        );
        if (status === wanted) return;
      }
      throw new Error(`${wanted} never came`);
    };

  test('a client that waits for a refusal, and gets it: it recovers', async () => {
    const folder = `${deployments}/1/folders/99`;
    const gone = await campaign((send) => until(404)(send, folder, rename));
    expect(outcomes(gone)).toEqual(all('recovered'));
    const unfit = { method: 'PUT', body: '{"position":"x"}' };
    const refused = await campaign((send) =>
      until(400)(send, `${deployments}/1/folders/11`, unfit),
    );
    expect(outcomes(refused)).toEqual(all('recovered'));
    const absent = `${deployments}/1/dbt-sync/none/result`;
    expect(outcomes(await campaign((send) => until(404)(send, absent)))).toEqual(all('recovered'));
  });

  test('a client that takes any answer for that refusal has swallowed the loss', async () => {
    const report = await campaign((send) =>
      send(`${deployments}/1/dbt-sync/none/result`).catch(() => {}),
    );
    // The status came through before the body was cut.
    expect(outcomes(report)).toEqual({ ...all('swallowed'), 'mid-body': 'recovered' });
    expect(report.findings[0]?.text).toMatch(
      /though the 404 that comes without the loss never came/,
    );
  });

  test('notes name refusals without a loss, because they may be slips of the test', async () => {
    const report = await campaign(async (send) => {
      await send(`${deployments}/1/folders/99`, rename);
      await send(`${deployments}/1/folders/99`, rename);
      await careful(send)(deployments);
    });
    expect(report.requests).toMatchObject([{ status: 404 }, { status: 404 }, { status: 200 }]);
    expect(report.requests[2]?.refusal).toBeNull();
    const note = `refused without a loss: updateFolder, PUT ${deployments}/1/folders/99: 404, Deployment 1 has no folder 99 (2 times)`;
    expect(report.notes).toEqual([note]);
    expect(report.text).toContain(note);
  });

  test('a client that takes no notice: its losses are swallowed', async () => {
    const report = await campaign((send) => careful(send)(deployments).catch(() => {}));
    expect(found(report)).toEqual(everyPhase.map((phase) => `swallowed-error ${phase}`));
    expect(report.findings[0]?.text).toContain('lost, yet the client succeeded');
  });

  test("a client must check the content of a gateway's own answer", async () => {
    const gateways = { html, empty, notJson };
    const rash = (send: Send) => send(deployments).then((response) => response.text());
    expect(outcomes(await campaign(rash, { phases: gateways }))).toEqual({
      html: 'swallowed',
      empty: 'swallowed',
      notJson: 'swallowed',
    });
    const looking = async (send: Send) => (await careful(send)(deployments)).json();
    const failed = { html: 'failed', empty: 'failed', notJson: 'failed' };
    expect(outcomes(await campaign(looking, { phases: gateways }))).toEqual(failed);
    // A write whose status came through is done.
    const write = await campaign((send) => careful(send)(tokens, token), { phases: gateways });
    expect(outcomes(write)).toEqual({ html: 'failed', empty: 'recovered', notJson: 'recovered' });
  });

  test('a late answer is not a lost one, be it held back or slow', async () => {
    const late = {
      late: { delayMs: 30 },
      drip,
      'done late': { phase: 'after-commit', delayMs: 30 },
    } as const;
    const report = await campaign((send) => careful(send)(tokens, token), { phases: late });
    expect(report).toMatchObject({
      ok: true,
      findings: [],
      text: '1 request, 3 runs: 3 recovered',
    });
    const hasty =
      (send: Send): Send =>
      (path, init) =>
        send(path, { ...init, signal: AbortSignal.timeout(200) });
    const slow = { slow: { delayMs: 2000 } };
    const twice = await campaign((send) => retrying(careful(hasty(send)))(tokens, token), {
      phases: slow,
    });
    expect(found(twice)).toEqual(['duplicate-write slow']);
  });

  test('times: a request is lost as often in a row as the phase says', async () => {
    const twice = { twice: { status: 503, times: 2 } };
    const report = await campaign((send) => retrying(careful(send))(deployments), {
      phases: twice,
    });
    expect(outcomes(report)).toEqual({ twice: 'failed' });
    const patient = (send: Send) => retrying(retrying(careful(send)))(tokens, token);
    expect(outcomes(await campaign(patient, { phases: twice }))).toEqual({ twice: 'recovered' });
    const done = { done: { phase: 'after-commit', status: 504, times: 2 } } as const;
    expect(found(await campaign(patient, { phases: done }))).toEqual(['duplicate-write done']);
  });

  test('operation and credential: a phase loses the requests that it is for', async () => {
    const report = await campaign(
      async (send) => {
        await careful(send)(deployments);
        await careful(send)(`${deployments}/1/versions`);
      },
      {
        phases: {
          list: { operation: 'listDeployments', status: 503 },
          branches: { operation: 'listBranches', status: 503 },
          member: { credential: 'member', status: 503 },
        },
      },
    );
    expect(report.runs.map(({ request, phase }) => [request.operation, phase])).toEqual([
      ['listDeployments', 'list'],
    ]);
    const mixed = await campaign(
      async (send) => {
        await careful(send)(deployments);
        await careful(send)(deployments, { headers: { 'X-Trace': 'b' } });
      },
      { phases: { admin: { credential: 'admin', status: 503 } } },
    );
    expect(mixed.runs).toMatchObject([{ outcome: 'failed' }, { outcome: 'failed' }]);
    expect(report.notes).toEqual([
      'not tested: branches fits no request',
      'not tested: member fits no request',
    ]);
  });

  // These two only wait: they do so in parallel.
  test.concurrent('a client that waits for ever hangs if the service stalls', async () => {
    const report = await campaign((send) => careful(send)(deployments), {
      phases: { stall },
      timeoutMs: PATIENCE,
    });
    expect(found(report)).toEqual(['hang stall']);
    expect(report.runs).toMatchObject([{ outcome: 'hung' }]);
    expect(report.text).toContain(
      `not ended after ${PATIENCE} ms; if it waits longer by design, raise timeoutMs`,
    );
  });

  test.concurrent('a client that gives up in time does not', async () => {
    const client = (send: Send) => careful(impatient(send))(deployments);
    const report = await campaign(client, { phases: { stall } });
    expect(report.runs).toMatchObject([{ outcome: 'failed' }]);
  });

  test('each request is lost in turn, even the second of two equal ones', async () => {
    const report = await campaign(async (send) => {
      const client = careful(send);
      await client(deployments);
      await client(deployments);
      await client(`${deployments}?offset=20`);
    });
    expect(report.requests.map(({ target, nth }) => `${target} ${nth}`)).toEqual([
      `${deployments} 1`,
      `${deployments} 2`,
      `${deployments}?offset=20 1`,
    ]);
    expect(report.runs).toHaveLength(15);
    expect(report.ok).toBe(true);
  });
});

test('the same campaign gives the same report and leaves the world unchanged', async () => {
  await using mock = await createMock({ clock: NOW });
  const { world } = mock;
  const run = () =>
    world.losses(
      async (fork) => {
        await fork.fetch(`${deployments}/1/folders/11`, rename);
        await fork.fetch(deployments);
      },
      { phases },
    );
  const report = await run();
  expect(await run()).toEqual(report);
  expect(world.requests.list()).toEqual([]);
  expect(world.faults.list()).toEqual([]);
  expect(world.state.tables.folders.get(11)?.name).toBe('Finance');
  expect([...mock.service.worlds.keys()]).toEqual(['acme']);
});

test.concurrent('by default the runs go in parallel, and each client has enough time', async () => {
  await using mock = await createMock({ clock: NOW });
  let most = 0;
  let running = 0;
  const began = performance.now();
  // Waits before it tries again, as clients do, and each run ends on its own.
  const report = await mock.world.losses(
    async ({ fetch }) => {
      running += 1;
      most = Math.max(most, running);
      await retrying(careful(fetch), 1200)(deployments);
      await retrying(careful(fetch), 1200)(`${deployments}/1/versions`);
      running -= 1;
    },
    { phases },
  );
  expect(report.text).toBe('2 requests, 10 runs: 10 recovered');
  expect(most).toBe(10);
  expect(performance.now() - began).toBeLessThan(10 * 1200);
});

test.concurrent('a client that never ends is told of before a test framework gives up', async () => {
  await using mock = await createMock({ clock: NOW });
  const began = performance.now();
  const report = await mock.world.losses(
    async ({ fetch }) => {
      await fetch(deployments);
      await fetch(`${deployments}/1/versions`);
    },
    { phases: { stall } },
  );
  expect(report.runs.map(({ outcome }) => outcome)).toEqual(['hung', 'hung']);
  // Side by side: the two together take no longer than one.
  expect(performance.now() - began).toBeLessThan(2 * 4000);
});

test('only some operations, only some ways, or ways of your own', async () => {
  await using mock = await createMock({ clock: NOW });
  const report = await mock.world.losses(
    async ({ fetch }) => {
      await fetch(`${deployments}/1/versions`);
      expect((await fetch(deployments)).status).toBe(200);
    },
    { operations: ['listDeployments'], phases: { throttled: { status: 429, retryAfter: 1 } } },
  );
  expect(report.runs).toMatchObject([
    { request: { operation: 'listDeployments' }, phase: 'throttled', outcome: 'failed' },
  ]);
});

test('losses rejects if the test fails without a loss', async () => {
  await using mock = await createMock();
  const { losses } = mock.world;
  await expect(
    losses(() => {
      throw new Error('no');
    }),
  ).rejects.toThrow(/fails even if nothing is lost: Error: no/);
  await expect(losses(() => new Promise(() => {}), { timeoutMs: 5 })).rejects.toThrow(
    /does not end within 5 ms/,
  );
});

describe('a campaign that has tested nothing is not good, and says why', () => {
  test.for<[string, (inside: World, outside: World) => unknown, LossOptions, RegExp]>([
    [
      'the world outside was used',
      (_inside, outside) => outside.fetch(deployments),
      {},
      /but 1 reached the world outside: give the client the world of the test/,
    ],
    ['nothing was asked', () => {}, {}, /no request for an operation reached the world/],
    [
      'no operation was matched',
      (world) => world.fetch('/api/v1/deployment'),
      {},
      /but GET \/api\/v1\/deployment, which matched none: .* the nearest is listDeployments/,
    ],
    [
      'other operations were asked for',
      (world) => world.fetch(deployments),
      { operations: ['listVersions'] },
      /made no request for listVersions; it made some for listDeployments/,
    ],
    ['no way of losing it', (world) => world.fetch(deployments), { phases: {} }, /phases names no/],
    [
      'each run asks for something else',
      (world) => world.fetch(`${deployments}?at=${Math.random()}`),
      { phases },
      /differs each time/,
    ],
  ])('%s', async ([, body, options, why]) => {
    await using mock = await createMock({ clock: NOW });
    const report = await mock.world.losses((inside) => body(inside, mock.world), options);
    expect(report).toMatchObject({ ok: false, untested: expect.stringMatching(why), findings: [] });
    expect(report.text).toMatch(/^nothing was tested: /m);
    expect([...mock.service.worlds.keys()]).toEqual(['acme']);
  });

  test('a partial test says which part was not tested', async () => {
    await using mock = await createMock({ clock: NOW });
    const report = await mock.world.losses(
      async ({ fetch }) => {
        await careful(fetch)(deployments);
        await fetch(`${deployments}/1/versions?at=${Math.random()}`);
        await mock.world.fetch(deployments);
      },
      { phases: { late: { phase: 'after-commit', status: 504 } } },
    );
    expect(report).toMatchObject({ ok: true, untested: null });
    expect(report.notes).toEqual([
      expect.stringMatching(/^not tested: GET .*\/versions\?at=.* differed in the run/),
      'not tested: 1 request reached the world outside',
    ]);
  });

  test.for<[string, object]>([
    ['after', { after: 3 }],
    ['every', { every: 2 }],
    ['when', { when: () => true }],
    ['probability', { probability: 0.5 }],
    ['fingerprint', { fingerprint: 'x' }],
  ])('a phase with %s is refused: each request is lost in turn', async ([field, more]) => {
    await using mock = await createMock();
    const losses = mock.world.losses((world) => world.fetch(deployments), {
      phases: { odd: { status: 503, ...more } },
    });
    await expect(losses).rejects.toThrow(`The phase odd has ${field}, which chooses requests`);
  });

  test('an operation or a way that there is not is refused at once', async () => {
    await using mock = await createMock();
    const campaign = (options: object) =>
      mock.world.losses((world) => world.fetch(deployments), options);
    const operations = ['listDeploymnts'];
    await expect(campaign({ operations })).rejects.toThrow(
      new TypeError('The operation listDeploymnts is not known; listDeployments is'),
    );
    await expect(campaign({ phases: { odd: { phase: 'socket', status: 503 } } })).rejects.toThrow(
      /socket loses the service's own answer/,
    );
    expect([...mock.service.worlds.keys()]).toEqual(['acme']);
  });
});

test('a repetition that changes more than the first request is a failure with its changes', async () => {
  await using mock = await createMock({ deviations: ['folders:rename-moves-on'] });
  const phases = { late: { phase: 'after-commit', status: 504 } } as const;
  const client = ({ fetch }: World) =>
    retrying(careful(fetch))(`${deployments}/1/folders/11`, rename);
  const report = await mock.world.losses(client, { phases });
  expect(report.ok).toBe(false);
  expect(report.findings[0]?.text).toBe(
    `duplicate-write: PUT ${deployments}/1/folders/11, late: carried out, then carried out again, which changed more than a single request: folders 11 changed: position 1 -> 2`,
  );
});
