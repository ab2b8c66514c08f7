/**
 * Playwright: a mock per worker that listens, a world per test. The world's credential goes with
 * every request, of the page as well, and names the world.
 */
import { test as base, expect } from '@playwright/test';
import { type Mock, startMock, type World } from 'lockstep/mock';

const test = base.extend<{ world: World }, { mock: Mock }>({
  mock: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright finds the needs of a fixture in its pattern
    async ({}, use) => {
      const mock = await startMock();
      await use(mock);
      await mock.close();
    },
    { scope: 'worker' },
  ],
  world: async ({ mock }, use, { errors }) => {
    using world = await mock.createWorld();
    await use(world);
    // Prints the refusals of the world, with their reasons, under the failure.
    for (const error of errors) world.explain(error);
  },
  baseURL: async ({ mock }, use) => use(mock.baseUrl),
  extraHTTPHeaders: async ({ world }, use) =>
    use({ Authorization: `Bearer ${world.credentials.admin}` }),
});

const toggle = '/build/api/v1/deployments/1/branches/staging-environment';
const environments = '/api/v1/deployments/1/environments?type=staging';

interface Listed {
  readonly data: { readonly environments: readonly { readonly id: string }[] };
}

test('an enabled environment is listed', async ({ request, world }) => {
  const enabled = await request.put(toggle, {
    data: { branchName: 'feature-orders', enabled: true },
  });
  expect(enabled.status()).toBe(200);
  const { data } = (await (await request.get(environments)).json()) as Listed;
  expect(data.environments.map(({ id }) => id)).toEqual(['202', '203']);
  expect(world.requests.recorded).toBe(2);
});

test('a member may not add recipients', async ({ request, world }) => {
  const refused = await request.post('/api/v1/deployments/1/notifications/31/recipients', {
    headers: { Authorization: `Bearer ${world.credentials.member}` },
    data: { recipients: [{ userId: 2 }] },
  });
  expect(refused.status()).toBe(403);
});

test('another world does not see it', async ({ request, mock }) => {
  await request.put(toggle, { data: { branchName: 'feature-orders', enabled: true } });
  const other = await mock.createWorld();
  const { data } = (await (await other.fetch(environments)).json()) as Listed;
  expect(data.environments.map(({ id }) => id)).toEqual(['203']);
});

/** The client under test: a page that lists environments and switches one on. */
const client = `<!doctype html><title>Staging</title><button>Enable</button><ul></ul>
<script type="module">
  const show = async () => {
    const { data } = await (await fetch('${environments}')).json();
    document.querySelector('ul').replaceChildren(...data.environments.map(({ id }) =>
      Object.assign(document.createElement('li'), { textContent: id })));
  };
  document.querySelector('button').onclick = async () => {
    await fetch('${toggle}', {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ branchName: 'feature-orders', enabled: true }),
    });
    await show();
  };
  await show();
</script>`;

test('in a page as well', { tag: '@browser' }, async ({ page, world }) => {
  await page.route('**/client', (route) =>
    route.fulfill({ contentType: 'text/html', body: client }),
  );
  await page.goto('/client');
  await expect(page.getByRole('listitem')).toHaveText(['203']);
  await page.getByRole('button', { name: 'Enable' }).click();
  await expect(page.getByRole('listitem')).toHaveText(['202', '203']);
  expect(world.requests.list().map(({ status }) => status)).toEqual([200, 200, 200]);
});
