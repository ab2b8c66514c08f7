import { describe, expect, test } from 'vitest';
import type { CheckResult } from '../conformance/judge/report.ts';
import type { EvidenceEntry } from '../conformance/target/evidence.ts';
import { curlLines, curlOf, variableOf, worldCommand } from './curl.ts';
import { readExchanges } from './exchanges.ts';
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

test('the host of a client of the proxy is left out', () => {
  expect(curl('GET', { host: '{redacted}', accept: 'text/csv' })).toBe(
    `curl -i -H 'accept: text/csv' 'https://acme.example.com/api/v1/deployments?limit=5'`,
  );
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

describe('the commands that reproduce a failure', () => {
  const url = 'https://acme.example.com/api/v1/deployments/1/folders/11';
  const entry = (step: string, text: string, status = 200, kind = 'call', method = 'PUT') => ({
    request: { method, url, headers: [{ name: 'content-type', value: 'x' }], postData: { text } },
    response: { status },
    _lockstep: { scenario: 'A', step, kind },
  });
  /** The words of the lines for a failure of the last entry. */
  function lines(entries: readonly object[], check: Partial<CheckResult> = {}): string[] {
    const text = JSON.stringify({ log: { entries } });
    const exchanges = readExchanges([{ file: 'evidence/a.har', text: text as never }]);
    const evidence = [`evidence/a.har#${entries.length - 1}`];
    const failed = { kind: 'check', pointer: '/body/name', evidence, ...check } as CheckResult;
    const report = { target: { ...target, kind: 'mock' as const } };
    return curlLines(failed, report, exchanges, 400).map(
      (line) => /^#.*|(?<=--data-raw )\S+/.exec(line)?.[0] ?? line,
    );
  }
  const before = entry('before', '{}');
  const after = entry('after', '{}');

  test('begin with the writes of the same attempt, in order', () => {
    const attempt = [before, entry('rename', 'A'), entry('again', 'B')];
    const restore = entry('restore', 'old', 200, 'restore');
    expect(lines([...attempt, after, restore, ...attempt, after])).toEqual(['A', 'B', "'{}'"]);
    // A run cannot put back some writes, so nothing but the steps tells two attempts apart.
    expect(lines([...attempt, after, ...attempt, after])).toEqual(['A', 'B', "'{}'"]);
    expect(lines([...attempt, restore, before])).toEqual(["'{}'"]);
  });

  test('leave out writes that the failure cannot depend on', () => {
    const refused = [before, entry('refused', 'A', 403), after];
    expect(lines(refused)).toEqual(['A', "'{}'"]);
    expect(lines(refused, { pointer: '/status' })).toEqual(["'{}'"]);
    expect(lines([entry('rename', 'A'), after], { kind: 'contract' })).toEqual(["'{}'"]);
  });

  test('say which writes are only in the evidence', () => {
    const writes = ['A', 'B', 'C', 'D'].map((name) => entry(name, name));
    const long = entry('long', 'x'.repeat(500));
    expect(lines([...writes, long, after])).toEqual([
      '# 2 earlier writes: only in the evidence',
      ...['C', 'D', '# PUT …/folders/11: only in the evidence', "'{}'"],
    ]);
  });

  test('warn that nothing puts back a change to a tenant', () => {
    const text = JSON.stringify({ log: { entries: [entry('rename', 'A'), after] } });
    const exchanges = readExchanges([{ file: 'evidence/a.har', text: text as never }]);
    const failed = { kind: 'check', evidence: ['evidence/a.har#1'] } as unknown as CheckResult;
    expect(curlLines(failed, { target }, exchanges)[0]).toMatch(/^# .* nothing puts it back/);
  });
});

test('the world that a mock made for a run can be made again, with the keys of the commands', () => {
  const mock = {
    ...target,
    baseUrl: 'http://127.0.0.1:4010/w/w1',
    kind: 'mock',
    world: 'w1',
  } as const;
  expect(worldCommand(mock, [`curl -H 'authorization: Bearer '"$ADMIN" x`])).toBe(
    `world=w1; curl http://127.0.0.1:4010/__admin/worlds -d '{"id": "w1"}'; ADMIN=$world-admin`,
  );
  expect(worldCommand(mock, [])).toBeUndefined();
  expect(worldCommand(target, ['curl x'])).toBeUndefined();
});
