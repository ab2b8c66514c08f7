import { expect, test } from 'vitest';
import type { EvidenceEntry } from '../conformance/target/evidence.ts';
import { curlOf, variableOf } from './curl.ts';
import { sampleTarget } from './testing/sample-report.ts';

const target = sampleTarget('https://acme.example.com');

/** The command for a call with these headers and this body. */
function curl(method: string, headers: Record<string, string>, body?: string, longest?: number) {
  const entry = {
    request: {
      ...{ method, url: 'https://acme.example.com/api/v1/deployments?limit=5' },
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      postData: body === undefined ? undefined : { mimeType: '', text: body },
    },
  };
  return curlOf(entry as unknown as EvidenceEntry, { target }, longest);
}

test('a secret becomes a shell variable, and common headers are left out', () => {
  expect(
    curl('GET', { accept: '*/*', 'accept-encoding': 'identity', authorization: 'Bearer {admin}' }),
  ).toBe(
    `curl -i -H 'authorization: Bearer '"$ADMIN" 'https://acme.example.com/api/v1/deployments?limit=5'`,
  );
  expect(variableOf('memberOauth')).toBe('MEMBER_OAUTH');
});

test('a body is sent unchanged, with its own media type or none', () => {
  const body = `{"name":"it's $HOME {folder}"}`;
  expect(curl('PUT', { 'content-type': 'application/json' }, body)).toContain(
    `-X PUT -H 'content-type: application/json' --data-raw '{"name":"it'\\''s $HOME ''{folder}''"}'`,
  );
  expect(curl('PUT', {}, 'x')).toContain('-H Content-Type: --data-raw x ');
});

test('a call that is too long to type, or cannot be shown, gives no command', () => {
  expect(curl('PUT', {}, 'x'.repeat(3000))).toBeUndefined();
  expect(curl('PUT', {}, 'a\u0000b')).toBeUndefined();
  expect(curl('GET', {}, undefined, 10)).toBeUndefined();
});
