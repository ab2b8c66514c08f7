/** A campaign says what a client makes of each request that it loses. */
import { expect, test } from 'vitest';
import { type CampaignReport, createMock, type World } from './index.ts';
import { bothWays, NOW, type Send } from './testing/both-ways.ts';

const deployments = '/api/v1/deployments';
const recipients = `${deployments}/1/notifications/31/recipients`;
const add = { method: 'POST', body: '{"recipients":[{"userId":2}]}' };
const rename = { method: 'PUT', body: '{"name":"Money"}' };
const PATIENCE = 30;

/** Gives up in time, takes an answer for an error unless it is a good one, reads it to its end. */
const careful =
  (send: Send): Send =>
  async (path, init) => {
    const response = await send(path, { ...init, signal: AbortSignal.timeout(PATIENCE) });
    if (!response.ok) throw new Error(`${response.status}`);
    return new Response(response.status === 204 ? null : await response.text(), response);
  };
const retrying =
  (send: Send): Send =>
  (path, init) =>
    send(path, init).catch(() => send(path, init));

/** What was found, as `kind phase`. */
const found = (report: CampaignReport) =>
  report.findings.map(({ kind, phase }) => `${kind} ${phase}`);
const outcomes = (report: CampaignReport) =>
  Object.fromEntries(report.runs.map(({ phase, outcome }) => [phase, outcome]));
const everyPhase = ['before', 'after-commit', 'mid-body', 'reset', 'half-close', 'stall'];
const all = (outcome: string) => Object.fromEntries(everyPhase.map((phase) => [phase, outcome]));

bothWays('a campaign', ({ newWorld, sendTo }) => {
  const campaign = async (client: (send: Send, world: World) => unknown, timeoutMs = 500) => {
    const world = await newWorld();
    return world.faults.campaign((fork) => client(sendTo(fork), fork), { timeoutMs, jobs: 6 });
  };

  test('a client that reports each loss: nothing is found', async () => {
    const report = await campaign((send) => careful(send)(deployments));
    expect(outcomes(report)).toEqual(all('failed'));
    expect(report).toMatchObject({ ok: true, findings: [] });
    expect(report.text).toBe('1 requests, 6 runs: 6 failed');
  });

  test('a client that reads again: it recovers', async () => {
    const report = await campaign((send) => retrying(careful(send))(deployments));
    expect(outcomes(report)).toEqual(all('recovered'));
    expect(report.ok).toBe(true);
  });

  test('a client that posts again: a duplicate wherever the first one was committed', async () => {
    const report = await campaign((send) => retrying(careful(send))(recipients, add));
    expect(found(report)).toEqual(
      everyPhase.slice(1).map((phase) => `duplicate-write ${phase}`),
    );
    expect(report.ok).toBe(false);
    expect(report.findings[0]?.text).toBe(
      `duplicate-write: POST ${recipients}, after-commit: carried out, then carried out again`,
    );
  });

  test('a PUT may be repeated: it is found, and it is no failure', async () => {
    const report = await campaign((send) =>
      retrying(careful(send))(`${deployments}/1/folders/11`, rename),
    );
    expect(report.ok).toBe(true);
    expect(report.findings.every(({ idempotent }) => idempotent)).toBe(true);
    expect(report.findings).toHaveLength(5);
  });

  test('a client that looks before it posts again has neither lost nor doubled anything', async () => {
    const report = await campaign(async (send) => {
      const client = careful(send);
      await client(recipients, add).catch(async () => {
        const log = await client('/api/v1/audit-logs/export?search=31');
        if (!(await log.text()).includes('NotificationRecipient')) await client(recipients, add);
      });
    });
    expect(outcomes(report)).toEqual(all('recovered'));
    expect(report.findings).toEqual([]);
  });

  test('a client that takes no notice: its losses are swallowed', async () => {
    const report = await campaign((send) => careful(send)(deployments).catch(() => {}));
    expect(found(report)).toEqual(everyPhase.map((phase) => `swallowed-error ${phase}`));
    expect(report.findings[0]?.text).toContain('lost, yet the client succeeded');
  });

  test('a client that waits for ever: it hangs where the service stalls', async () => {
    const report = await campaign(async (send) => {
      const response = await send(deployments);
      if (!response.ok) throw new Error(`${response.status}`);
      await response.json();
    }, 100);
    expect(found(report)).toEqual(['hang stall']);
    expect(outcomes(report)).toEqual({ ...all('failed'), stall: 'hung' });
  });

  test('each request is lost in turn, the second of two that are the same as well', async () => {
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
    expect(report.runs).toHaveLength(18);
    expect(report.ok).toBe(true);
  });
});

test('the same campaign, the same report; and the world is as it was', async () => {
  await using mock = await createMock({ clock: NOW });
  const { world } = mock;
  const run = () =>
    world.faults.campaign(
      async (fork) => {
        await fork.fetch(`${deployments}/1/folders/11`, rename);
        await fork.fetch(deployments);
      },
      { timeoutMs: 20 },
    );
  const report = await run();
  expect(await run()).toEqual(report);
  expect(world.requests.list()).toEqual([]);
  expect(world.faults.list()).toEqual([]);
  expect(world.state.tables.folders.get(11)?.name).toBe('Finance');
  expect([...mock.service.worlds.keys()]).toEqual(['acme']);
});

test('only some operations, only some ways, or ways of your own', async () => {
  await using mock = await createMock({ clock: NOW });
  const report = await mock.world.faults.campaign(
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

test('a test that fails by itself is no campaign', async () => {
  await using mock = await createMock();
  const { campaign } = mock.world.faults;
  await expect(
    campaign(() => {
      throw new Error('no');
    }),
  ).rejects.toThrow(/fails even where nothing is lost: Error: no/);
  await expect(campaign(() => new Promise(() => {}), { timeoutMs: 5 })).rejects.toThrow(
    /does not end within 5 ms/,
  );
});
