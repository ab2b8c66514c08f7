/** When the target was out of order, told from the exchanges of a night. */
import { expect, test } from 'vitest';
import { harEntry, harLog } from '../../spec/base/har.ts';
import { healthOf } from './outage.ts';

const paths = ['/api/v1/deployments', '/api/v1/deployments/1/environments', '/scim/v2/Users'];

interface Sent {
  readonly status: number;
  readonly path?: string;
  readonly as?: string;
  readonly text?: string;
}

/** What is said of a night with these exchanges, one each second. */
function health(sent: readonly Sent[], before: Record<string, string[]> = {}) {
  const entries = sent.map(({ status, path, as = 'admin', text = '{}' }, index) => {
    const place = path ?? paths[index % paths.length];
    return {
      ...harEntry({
        ...{ startedAt: Date.UTC(2026, 0, 1, 2, 0, index), durationMs: 5, method: 'GET' },
        ...{ url: `https://acme.example.com${place}`, postData: undefined, status, statusText: '' },
        headers: [{ name: 'authorization', value: `Bearer {${as}}` }],
        ...{ answerHeaders: [], content: { size: 0, mimeType: '', text }, redirectUrl: '' },
      }),
      _lockstep: { scenario: `S${index}`, step: 's', kind: 'call', throttled: 0 },
    };
  });
  return healthOf(
    [{ text: JSON.stringify(harLog(entries, '1')) }],
    'https://acme.example.com',
    before,
  );
}

const times = (count: number, one: Sent): Sent[] => Array.from({ length: count }, () => one);
const fine = times(9, { status: 200 });
const html = { status: 200, text: '<!DOCTYPE html><h1>Back soon</h1>' };

test.for([
  ['in order', fine, []],
  ['down', times(9, { status: 0 }), ['the target was down (9 requests: no answer)']],
  [
    'throttling from the middle on',
    [...fine, ...times(8, { status: 429 })],
    ['the target was throttling from 02:00:09 (8 requests: 429)'],
  ],
  [
    'in maintenance for a while',
    [...fine, ...times(10, { status: 503 }), ...fine],
    ['the target was in maintenance from 02:00:09 until 02:00:18 (10 requests: 503)'],
  ],
  ['a page for everything', times(12, html), ['the target was in maintenance (12 requests: 200)']],
  [
    'a login page elsewhere',
    times(9, { status: 302 }),
    ['the target was in maintenance (9 requests: 302)'],
  ],
  ['a few gateway errors', [...fine, ...times(3, { status: 502 }), ...fine], []],
  [
    'one operation that is broken',
    [...fine, ...times(30, { ...html, path: paths[0] ?? '' }), ...fine],
    [],
  ],
] as const)('%s', ([, sent, outages]) => {
  expect(health(sent).outages).toEqual(outages);
});

test('a scenario is touched only if one of its own exchanges was', () => {
  const { touched } = health([...fine, ...times(8, { status: 0 })]);
  expect([touched.has('S8'), touched.has('S9'), touched.size]).toEqual([false, true, 8]);
});

test.for([
  [
    'that worked on earlier nights',
    times(4, { status: 401 }),
    { admin: ['listDeployments', 'listEnvironments'] },
    1,
  ],
  ['that worked earlier tonight', [...fine, ...times(4, { status: 401 })], {}, 1],
  ['that never worked', times(4, { status: 401 }), {}, 0],
  [
    'that is refused by one operation alone',
    [...fine, ...times(9, { status: 401, path: paths[0] ?? '' })],
    {},
    0,
  ],
  ['that works again', [...fine, ...times(4, { status: 401 }), ...fine], {}, 0],
  ['that is refused once', [...fine, { status: 401 }], {}, 0],
] as const)('a credential %s', ([, sent, before, outages]) => {
  const found = health(sent, before as unknown as Record<string, string[]>).outages;
  expect(found).toHaveLength(outages);
  if (outages > 0) expect(found[0]).toContain('the credential admin has expired or was revoked');
});
