import { expect, test } from 'vitest';
import { createMock } from '../kits/index.ts';

/** 2^53 + 1: a 64-bit number would hold 2^53 instead. */
const LARGE = '9007199254740993';
const one = '/api/v1/deployments/1';

test.for([
  ['query', `/api/v1/deployments?offset=${LARGE}`, undefined, 'ERR-5'],
  ['path', `${one}/folders/${LARGE}`, '{}', 'ERR-11'],
  ['body', `${one}/folders/11`, `{"position": ${LARGE}}`, 'REQ-9'],
  [
    'context',
    `${one}/environments/201/tokens-for-meta-sync`,
    `{"security_context":{"id":${LARGE}}}`,
    'REQ-9',
  ],
] as const)('an integer beyond 2^53 in the %s is refused, and named exactly', async (sent) => {
  const [, path, body, statement] = sent;
  await using mock = await createMock();
  const method = body === undefined ? 'GET' : path.includes('folders') ? 'PUT' : 'POST';
  const answered = await mock.world.fetch(path, { method, body: body ?? null });
  expect(answered.status).toBe(400);
  expect(((await answered.json()) as { error: string }).error).toContain(LARGE);
  expect(mock.world.requests.last()?.refusal?.statement).toBe(statement);
});

test('digits in a text, and numbers with a fraction, are not integers', async () => {
  await using mock = await createMock();
  const body = `{"name": "${LARGE} 1.${LARGE}", "colour": 0.${LARGE}}`;
  expect((await mock.world.fetch(`${one}/folders/11`, { method: 'PUT', body })).status).toBe(200);
});
