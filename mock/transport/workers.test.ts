/** Parallel tests without coordination: one process, a world for each test, over real sockets. */
import { expect, test } from 'vitest';
import { startMock } from '../kits/index.ts';

const WORKERS = 100;

/** A worker, as in any language: it knows only an address. */
async function work(baseUrl: string, worker: number) {
  const made = await fetch(`${baseUrl}/__admin/worlds`, { method: 'POST' });
  const { id, credentials } = (await made.json()) as {
    id: string;
    credentials: { admin: string };
  };
  const seen: string[] = [];
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answered = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${credentials.admin}`,
        'Content-Type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    seen.push(`${answered.headers.get('Lockstep-World')} ${answered.status}`);
    return answered.json();
  };
  const folder = '/api/v1/deployments/1/folders/11';
  const toggle = '/build/api/v1/deployments/1/branches/staging-environment';
  const answers = [
    await send('PUT', folder, { name: `of worker ${worker}` }),
    // Half of the workers enable an environment that the other half leaves disabled.
    await send('PUT', toggle, { branchName: 'feature-orders', enabled: worker % 2 === 0 }),
    await send('POST', '/api/v1/deployments/1/notifications/31/recipients', {
      recipients: [{ email: 'ben@example.com' }],
    }),
    await send('GET', '/api/v1/deployments/1/environments?type=staging'),
    // Sends only the position, so the name stays that of this world.
    await send('PUT', folder, { position: worker }),
  ];
  const journal = await fetch(`${baseUrl}/__admin/worlds/${id}/requests`);
  const { requests } = (await journal.json()) as { requests: readonly unknown[] };
  return { id, seen, answers, journalled: requests.length };
}

test('a hundred workers with a world each never see each other', async () => {
  await using mock = await startMock();
  const done = await Promise.all(
    Array.from({ length: WORKERS }, (_, worker) => work(mock.baseUrl, worker)),
  );
  expect(new Set(done.map(({ id }) => id)).size).toBe(WORKERS);
  for (const [worker, { id, seen, answers, journalled }] of done.entries()) {
    expect(seen).toEqual(Array.from({ length: 5 }, () => `${id} 200`));
    expect(journalled).toBe(5);
    const environments = worker % 2 === 0 ? ['202', '203'] : ['203'];
    expect(answers).toMatchObject([
      { name: `of worker ${worker}` },
      { data: { isStagingEnvironmentEnabled: worker % 2 === 0 } },
      // If worlds were shared, this recipient would be reported as unchanged.
      { createdRecipients: [{ userId: 2 }], unchangedRecipients: [] },
      { data: { environments: environments.map((id) => ({ id })) } },
      { name: `of worker ${worker}`, position: worker },
    ]);
  }
  expect(mock.world.requests.recorded).toBe(0);
  expect(mock.world.state.tables.folders.changes().size).toBe(0);
});
