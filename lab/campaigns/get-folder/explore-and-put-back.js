/** Explores a mock, certifies it as a tenant, and prints the final state of folder 11. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { startMock } from '../../../mock/kits/index.ts';

const mock = await startMock();
const { credentials, requests, state } = mock.world;
const folder = () => state.tables.folders.get(11);
const lockstep = (...args) =>
  new Promise((done) => {
    const env = { ...process.env, ADMIN_KEY: credentials.admin };
    spawn(process.execPath, ['bin/lockstep.js', ...args], { env, stdio: 'ignore' }).on(
      'close',
      done,
    );
  });

const explored = await lockstep(
  'explore',
  '--base-url',
  mock.baseUrl,
  '--steps',
  '6000',
  '--seed',
  '7',
);
const walked = mock.coverage.operations.getFolder;

writeFileSync(
  'tenant.yaml',
  `baseUrl: ${mock.baseUrl}
credentials: { admin: { env: ADMIN_KEY, role: admin } }
bindings: { deployment: { id: "1" }, folder: { id: 11 } }
`,
);
requests.clear();
const before = folder()?.name;
const certified = await lockstep(
  ...['certify', '--tenant', 'tenant.yaml', '--only', 'FOLDER-2'],
  ...['--allow', 'reversible', '--convergence', '1s', '--out', 'tenant'],
);
const times = (id) => requests.list().filter(({ operation }) => operation === id).length;
const updates = times('updateFolder');
const reads = times('getFolder');
const after = folder()?.name;
await mock.close();
console.log(JSON.stringify({ explored, walked, certified, before, after, updates, reads }));
