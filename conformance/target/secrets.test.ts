/** A run that lasts longer than its credentials. */

import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type CredentialText, readSecrets, renewing } from './secrets.ts';
import type { Transport, WireRequest } from './target.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockstep-secrets-'));
});

/** A service that takes one token, and tells the tokens that it was sent. */
function service(valid: () => string) {
  const sent: string[] = [];
  const send = async ({ headers }: WireRequest) => {
    sent.push(headers.authorization ?? '');
    const status = headers.authorization === `Bearer ${valid()}` ? 200 : 401;
    return { status, headers: {}, text: '' };
  };
  return { sent, send };
}

const get = (authorization: string): WireRequest => ({
  method: 'GET',
  url: 'https://a.example/',
  headers: { authorization },
  body: undefined,
});

async function opened(name: string, credential: CredentialText, valid: () => string) {
  const { sent, send } = service(valid);
  const learnt: string[] = [];
  const told: string[] = [];
  const clock = { now: 0 };
  const sources = { folder, isTrusted: true };
  const learn = (_name: string, secret: string): void => void learnt.push(secret);
  const { given, renewable } = await readSecrets({ [name]: credential }, sources, learn);
  const call = renewing(
    send,
    renewable,
    (text) => told.push(text),
    () => clock.now,
  );
  return { call, sent, learnt, told, clock, first: given.get(name) ?? '' };
}

const write = (text: string): void => writeFileSync(join(folder, 'token'), text);

test('a token that was replaced in its file is read again at 401, and learnt before it is sent', async () => {
  write('one\n');
  const { call, sent, learnt, told, first } = await opened('oauth', { file: 'token' }, () => 'two');
  write('two\n');
  expect((await call(get(`Bearer ${first}`))).status).toBe(200);
  expect((await call(get(`Bearer ${first}`))).status).toBe(200);
  expect(sent).toEqual(['Bearer one', 'Bearer two', 'Bearer two']);
  expect(learnt).toEqual(['one', 'two']);
  expect(told).toEqual(['credentials.oauth was answered 401, so its secret was read again']);
});

test('calls in parallel ask once', async () => {
  writeFileSync(join(folder, 'token.sh'), '#!/bin/sh\necho x >>asked; wc -l <asked\n');
  chmodSync(join(folder, 'token.sh'), 0o755);
  const command = ['./token.sh'];
  const { call, clock, first, sent } = await opened('oauth', { command }, () => '2');
  clock.now = 60_000;
  const calls = Array.from({ length: 8 }, () => call(get(`Bearer ${first}`)));
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect(new Set(sent)).toEqual(new Set(['Bearer 1', 'Bearer 2']));
});

test('a refusal that stays with a new token is the answer, and the command runs once', async () => {
  writeFileSync(join(folder, 'token.sh'), 'echo x >>asked; wc -l <asked\n');
  const command = ['sh', 'token.sh'];
  const { call, clock, first, sent } = await opened('embed', { command }, () => 'another');
  for (clock.now = 0; clock.now < 60_000; clock.now += 1000)
    expect((await call(get(`Bearer ${first}`))).status).toBe(401);
  expect(new Set(sent)).toEqual(new Set(['Bearer 1', 'Bearer 2']));
});

test.for<[string, string, string]>([
  ['an expired credential', 'expired', 'Bearer one'],
  ['another scheme', 'admin', 'Api-Key one'],
  ['a header that was spoilt on purpose', 'admin', 'Bearer one!'],
])('%s is not asked for again', async ([, name, authorization]) => {
  write('one');
  const { call, sent } = await opened(name, { file: 'token' }, () => 'two');
  write('two');
  expect((await call(get(authorization))).status).toBe(401);
  expect(sent).toEqual([authorization]);
});

test('a secret that begins as another does is taken for itself', async () => {
  const sent: string[] = [];
  const send = async ({ headers }: { readonly headers: Readonly<Record<string, string>> }) => {
    sent.push(headers.authorization ?? '');
    return { status: headers.authorization === 'Bearer tok-1' ? 401 : 200 };
  };
  const one = { name: 'one', first: 'tok-1', ask: async () => 'new', isCommand: false };
  const other = { name: 'other', first: 'tok-10', ask: async () => 'other', isCommand: false };
  const call = renewing(send as unknown as Transport, [one, other], () => {});
  for (const secret of ['tok-1', 'tok-10']) await call(get(`Bearer ${secret}`));
  expect(sent).toEqual(['Bearer tok-1', 'Bearer new', 'Bearer tok-10']);
});

test('a source that gives no secret any more is reported, and the old token is sent', async () => {
  write('one');
  const { call, told, first } = await opened('oauth', { file: 'token' }, () => 'two');
  write(' \n');
  expect((await call(get(`Bearer ${first}`))).status).toBe(401);
  expect(told).toEqual(['credentials.oauth: its file is empty']);
});

test.for<[string, CredentialText, RegExp]>([
  ['a command', { command: ['true'] }, /command runs a program: give --allow-command/],
  ['a file above', { file: '../token' }, /must lie in the folder of the tenant file/],
  ['a file that git keeps', { file: '.git/config' }, /not below a name that begins with a dot/],
  ['a link to a file elsewhere', { file: 'link' }, /must lie in the folder of the tenant file/],
  ['a device', { file: '../../../../../../dev/zero' }, /is not a file that holds a token/],
  ['no file', { file: 'nowhere' }, /is not a file that holds a token/],
  ['two lines', { file: 'lines' }, /its file holds "\\n", which no header can carry/],
  ['two sources', { file: 'lines', env: 'X' }, /one of env, file and command is expected/],
])('a tenant file that others may change does not name %s', async ([, credential, problem]) => {
  const inner = join(folder, 'inner');
  mkdirSync(join(inner, '.git'), { recursive: true });
  write('a-token');
  writeFileSync(join(inner, '.git/config'), 'a-token');
  writeFileSync(join(inner, 'lines'), 'a\ntoken');
  symlinkSync(join(folder, 'token'), join(inner, 'link'));
  const read = readSecrets({ admin: credential }, { folder: inner, isTrusted: false }, () => {});
  await expect(read).rejects.toThrow(problem);
});

test('a file in a Kubernetes volume, a link to a name with two dots, is read', async () => {
  mkdirSync(join(folder, '..2026_11_26'));
  writeFileSync(join(folder, '..2026_11_26/token'), 'a-token');
  symlinkSync('..2026_11_26', join(folder, '..data'));
  symlinkSync('..data/token', join(folder, 'token'));
  const sources = { folder, isTrusted: false };
  const { given } = await readSecrets({ admin: { file: 'token' } }, sources, () => {});
  expect(given.get('admin')).toBe('a-token');
});

test('the message about a failed command does not quote its output', async () => {
  const command = ['sh', '-c', 'echo sk-secret >&2; exit 3'];
  const read = readSecrets({ admin: { command } }, { folder, isTrusted: true }, () => {});
  await expect(read).rejects.toThrow(
    /^credentials\.admin\.command: it did not end well \(3\); run/,
  );
});
