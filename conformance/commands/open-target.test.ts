/** A credential that the tenant file names and the environment lacks. */

import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Redactor } from '../../spec/base/redactor.ts';
import { env, tenantYaml } from '../testing/fake-service.ts';
import { test } from '../testing/service-test.ts';
import { openTarget } from './open-target.ts';

test.for(['data', 'Verdict', ' pagination\n'])(
  'a key that is the word %j is refused',
  async (word, { service }) => {
    const tenant = join(mkdtempSync(join(tmpdir(), 'lockstep-')), 'tenant.yaml');
    writeFileSync(tenant, tenantYaml(service.baseUrl));
    const io = { env: { ...env, FAKE_SCIM: word }, cwd: '/', redactor: new Redactor() };
    const refused = openTarget({ tenant }, io as unknown as Parameters<typeof openTarget>[1]);
    await expect(refused).rejects.toThrow(
      'the secret of {scim} is a word of the contract or the suite',
    );
    expect(service.requests).toEqual([]);
  },
);

test.for([
  ['of the surroundings', 'GITHUB_TOKEN', [], false],
  ['that is allowed', 'GITHUB_TOKEN', ['GITHUB_TOKEN'], true],
  ['that is not the one allowed', 'NPM_TOKEN', ['GITHUB_TOKEN'], false],
  ['of Lockstep', 'LOCKSTEP_ADMIN_KEY', [], true],
] as const)('a variable %s is sent elsewhere: %s', async ([, variable, allowEnv, accepted]) => {
  const tenant = join(mkdtempSync(join(tmpdir(), 'lockstep-')), 'tenant.yaml');
  writeFileSync(
    tenant,
    `baseUrl: https://attacker.example\ncredentials: { admin: { env: ${variable} } }\n`,
  );
  const io = { env: { [variable]: 'a-secret-of-somebody' }, cwd: '/' };
  const opened = openTarget(
    { tenant, allowEnv },
    io as unknown as Parameters<typeof openTarget>[1],
  );
  if (accepted) await (await opened).target.close();
  else await expect(opened).rejects.toThrow('credentials.admin.env');
});

test.for<[string, Record<string, string>, string, RegExp]>([
  ['a line end in a key', { LOCKSTEP_KEY: 'half\nof it' }, '', /value of its variable holds "\\n"/],
  [
    'an address of a proxy that is none',
    { HTTPS_PROXY: 'http://u:pass@[a' },
    '',
    /^HTTPS_PROXY is/,
  ],
  ['unchecked certificates', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }, '', /to anybody/],
  ['an authority that is a device', {}, 'tls: { ca: "../../../../../../dev/zero" }', /not a file/],
  [
    'an authority in another folder',
    {},
    'tls: { ca: ../of-others.pem }',
    /tls\.ca: the file must lie in/,
  ],
  [
    'a link to a key elsewhere',
    {},
    'tls: { cert: of-others.pem, key: link.pem }',
    /tls\.key: the file must/,
  ],
  ['a certificate that git hides', {}, 'tls: { ca: .git/config }', /tls\.ca: the file must lie in/],
  ['an authority with a NUL', {}, 'tls: { ca: "a\\0b" }', /tls\.ca: .* is not a file/],
])('%s is refused', async ([, more, line, problem]) => {
  const outside = mkdtempSync(join(tmpdir(), 'lockstep-'));
  const folder = join(outside, 'tenant');
  const tenant = join(folder, 'tenant.yaml');
  mkdirSync(join(folder, '.git'), { recursive: true });
  for (const file of ['of-others.pem', 'tenant/of-others.pem', 'tenant/.git/config'])
    writeFileSync(join(outside, file), 'a key');
  symlinkSync('../of-others.pem', join(folder, 'link.pem'));
  const credentials = 'credentials: { admin: { env: LOCKSTEP_KEY } }';
  writeFileSync(tenant, `baseUrl: https://a.example\n${credentials}\n${line}\n`);
  const io = { env: { LOCKSTEP_KEY: 'a-key-of-somebody', ...more }, cwd: '/' };
  const opened = openTarget({ tenant }, io as unknown as Parameters<typeof openTarget>[1]);
  await expect(opened).rejects.toThrow(problem);
});

test('a variable that the environment only inherits is not set', async ({ service }) => {
  const tenant = join(mkdtempSync(join(tmpdir(), 'lockstep-')), 'tenant.yaml');
  const credentials = 'credentials: { admin: { env: constructor }, member: { env: __proto__ } }';
  writeFileSync(tenant, `baseUrl: ${service.baseUrl}\n${credentials}\n`);
  const io = { env: {}, cwd: '/' } as unknown as Parameters<typeof openTarget>[1];
  await expect(openTarget({ tenant }, io)).rejects.toThrow(
    /lacks the variables of credentials\.admin/,
  );
});

/** A key that somebody pasted in place of the name of its variable, or near it. */
const pasted = 'sk-live-9aF.7+q/Z';

test.for([
  ['as the name', `admin: { env: ${pasted} }`],
  ['as a name that could be one', 'admin: { env: skXlive_9aF }'],
  ['in quotes', `admin: { env: "${pasted}" }`],
  ['in a list', `admin: { env: [${pasted}] }`],
  ['in a mapping', `admin: { env: { ${pasted}: x } }`],
  ['after a YAML indicator', `admin: { env: '|'${pasted} }`],
  ['as a block', `admin:\n    env: |${pasted}`],
  ['as a tag', `admin: { env: !${pasted} }`],
  ['as an alias', `admin: { env: *${pasted} }`],
  ['twice', `admin: { env: ${pasted}, env: ${pasted} }`],
  ['as the credential', `admin: ${pasted}`],
  ['as the name of a credential', `${pasted}: { env: LOCKSTEP_KEY }`],
  ['as another field', `admin: { env: LOCKSTEP_KEY, role: ${pasted} }`],
  ['as a list of the credential', `admin: { env: LOCKSTEP_KEY, edits: ${pasted} }`],
  ['as the address', `admin: { env: LOCKSTEP_KEY }\nbaseUrl: ${pasted}`],
  ['as the scheme of the address', `admin: { env: LOCKSTEP_KEY }\nbaseUrl: ${pasted}://a.example`],
] as const)('no message shows a secret that is in the file %s', async ([, lines]) => {
  const tenant = join(mkdtempSync(join(tmpdir(), 'lockstep-')), 'tenant.yaml');
  const address = lines.includes('baseUrl') ? '' : 'baseUrl: https://a.example\n';
  writeFileSync(tenant, `${address}credentials:\n  ${lines}\n`);
  const io = { env: { LOCKSTEP_KEY: 'a-key-of-somebody' }, cwd: '/' };
  const opened = openTarget({ tenant }, io as unknown as Parameters<typeof openTarget>[1]);
  const { message } = await opened.then(
    () => new Error('it was accepted'),
    (error: Error) => error,
  );
  expect(message).not.toMatch(/9aF|accepted$/);
});

test('a blank or a line end after a key is not sent', async ({ service }) => {
  const tenant = join(mkdtempSync(join(tmpdir(), 'lockstep-')), 'tenant.yaml');
  writeFileSync(tenant, tenantYaml(service.baseUrl));
  const io = { env: { ...env, FAKE_ADMIN: `${env.FAKE_ADMIN} \n` }, cwd: '/' };
  const { target } = await openTarget(
    { tenant },
    io as unknown as Parameters<typeof openTarget>[1],
  );
  expect(target.credentials.get('admin')?.secret).toBe(env.FAKE_ADMIN);
  await target.close();
});

test('is refused before any call, and the message does not quote the file', async ({ service }) => {
  const tenant = join(mkdtempSync(join(tmpdir(), 'lockstep-')), 'tenant.yaml');
  writeFileSync(tenant, tenantYaml(service.baseUrl));
  const io = { env: { ...env, FAKE_SCIM: '' }, cwd: '/' } as unknown as Parameters<
    typeof openTarget
  >[1];
  const refused = openTarget({ tenant }, io);
  await expect(refused).rejects.toThrow('credentials.scim.env');
  await expect(refused).rejects.not.toThrow('FAKE_SCIM');
  expect(service.requests).toEqual([]);
  const { target, warnings } = await openTarget({ tenant, skipMissing: true }, io);
  expect([...target.credentials.keys()]).toEqual(['admin']);
  expect(warnings).toEqual(['scim: its environment variable is not set']);
  await target.close();
});

test.for([
  ['LOCKSTEP_MEMBER_OAUTH2', true],
  ['FAKE_OTHER', false],
  ['LOCKSTEP_JBSWY3DPEHPK3PXP', false],
  ['LOCKSTEP_aGVsbG8', false],
  ['LOCKSTEP_ABCDEFGHIJKLMNOPQRST', false],
  ['eyJhbGciOiJIUzI1NiJ9', false],
] as const)('a variable %s that is not set is named: %s', async ([name, isNamed], { service }) => {
  const tenant = join(mkdtempSync(join(tmpdir(), 'lockstep-')), 'tenant.yaml');
  writeFileSync(tenant, tenantYaml(service.baseUrl).replace('FAKE_SCIM', name));
  const io = { env, cwd: '/' } as unknown as Parameters<typeof openTarget>[1];
  const refused = (await openTarget({ tenant }, io).catch((error: Error) => error)) as Error;
  expect(refused.message.includes(name)).toBe(isNamed);
  const { warnings, target } = await openTarget({ tenant, skipMissing: true }, io);
  expect(warnings.join().includes(name)).toBe(isNamed);
  await target.close();
});

test.for([
  ['as the name of a variable', '{ admin: { env: sk-canary-1 } }'],
  ['in a list', '{ admin: { env: [sk-canary-1] } }'],
  ['in place of a credential', '{ admin: sk-canary-1 }'],
  ['in place of all', '[sk-canary-1]'],
])('a secret that was pasted %s is not shown', async ([, credentials]) => {
  const tenant = join(mkdtempSync(join(tmpdir(), 'lockstep-')), 'tenant.yaml');
  writeFileSync(tenant, `baseUrl: https://tenant.example\ncredentials: ${credentials}\n`);
  const io = { env, cwd: '/' } as unknown as Parameters<typeof openTarget>[1];
  const refused = openTarget({ tenant }, io);
  await expect(refused).rejects.toThrow(/tenant\.yaml:2:\d+: credentials\S*: expected /);
  await expect(refused).rejects.not.toThrow('canary');
});
