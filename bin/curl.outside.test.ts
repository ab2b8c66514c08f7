/** The printed curl of a broken statement, run by a shell: it sees what the report says. Needs curl. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { entriesOf } from '../conformance/target/evidence.ts';
import { startMock } from '../mock/kits/index.ts';
import { program, run } from '../mock/testing/program.ts';
import { certificateFor } from '../mock/transport/certificate.ts';

/** Certifies a mock as if it were a tenant. Returns the printed commands, and a shell that has its variables. */
async function certified(mock: Awaited<ReturnType<typeof startMock>>, ca: string, only: string) {
  const cwd = mkdtempSync(join(tmpdir(), 'lockstep-curl-'));
  writeFileSync(join(cwd, 'ca.pem'), ca);
  const { credentials } = mock.world;
  const env = { ...process.env, LOCKSTEP_OURS: credentials.admin, LOCKSTEP_SCIM: credentials.scim };
  writeFileSync(
    join(cwd, 'tenant.yaml'),
    `baseUrl: ${mock.baseUrl}
tls: { ca: ca.pem }
credentials:
  admin: { env: LOCKSTEP_OURS, role: admin }
  scim: { env: LOCKSTEP_SCIM }
bindings:
  deployment: { id: "1" }
  folder: { id: 11 }
  foreignFolder: { id: 21 }
`,
  );
  const options = ['--allow', 'reversible', '--convergence', '300ms', '--out', 'out'];
  const statements = ['--only', only];
  const certify = ['certify', '--tenant', 'tenant.yaml', '--no-diagnosis', ...options];
  const { ended } = run(process.execPath, [program, ...certify, ...statements], { cwd, env });
  const { code, stdout, stderr } = await ended;
  expect([code, stderr]).toEqual([1, expect.any(String)]);
  const commands = stdout.split('\n').filter((line) => line.startsWith('  curl '));
  expect(commands.length).toBeGreaterThan(1);
  const shell = async (script: string): Promise<string> =>
    (await run('sh', ['-c', script], { cwd, env }).ended).stdout;
  return { cwd, commands, shell };
}

test('each printed curl is answered as the report says, with the variables and the authority of the tenant file', async () => {
  const tls = certificateFor('127.0.0.1');
  const deviations = [
    'folders:empty-update-refused',
    'auth:listVersions:missing-accepted',
    'scim:count-ignored',
  ];
  await using mock = await startMock({ tls, deviations });
  const { cwd, commands, shell } = await certified(mock, tls.ca, 'FOLDER-21,AUTH-1,SCIM-2');
  const report = JSON.parse(readFileSync(join(cwd, 'out/report.json'), 'utf8'));
  const evidence: { file: string }[] = report.evidence;
  const entries = evidence.flatMap(({ file }) =>
    entriesOf(readFileSync(join(cwd, 'out', file), 'utf8')),
  );
  for (const command of commands) {
    const id = /lockstep-\w+-\d+/.exec(command)?.[0];
    const seen = entries.find(({ request }) => request.headers.some(({ value }) => value === id));
    const answer = await shell(command);
    expect(answer, command).toMatch(`HTTP/1.1 ${seen?.response.status} `);
    const [, body = ''] = answer.split('\r\n\r\n');
    const said = { ...JSON.parse(body), updatedAt: 0 };
    expect(said).toEqual({ ...JSON.parse(seen?.response.content.text ?? ''), updatedAt: 0 });
  }
  const certificate = readFileSync(join(cwd, 'out/certificate.html'), 'utf8');
  expect(certificate).toContain('--cacert ca.pem');
  expect(certificate).toContain('$LOCKSTEP_OURS');
});

test('the printed writes and the read after them show the failure again', async () => {
  const tls = certificateFor('127.0.0.1');
  await using mock = await startMock({ tls, deviations: ['folders:rename-lost'] });
  const { commands, shell } = await certified(mock, tls.ca, 'FOLDER-2');
  const answers = await shell(commands.join('\n'));
  const names = [...answers.matchAll(/"name":"([^"]*)"/g)].map(([, name]) => name);
  expect(names.at(-2)).toMatch(/^lockstep /);
  expect(names.at(-1)).toBe('Finance');
});
