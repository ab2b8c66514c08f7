import { expect, test } from 'vitest';
import { Answer } from '../../language/answer.ts';
import type { Ask } from '../../safety/areas.ts';
import { checkBranches } from './preflight.ts';

const wire = { headers: {}, durationMs: 0, sentAt: 0, throttled: 0 };
const request = { method: 'GET', target: '/', body: undefined };
const fares = { id: 7, name: 'fares' };
const away =
  'the branches list of deployment 2 holds no fares, and that of otherDeployment (1) does';

test.for([
  ['an empty list, and the branch is in the other deployment', [], [fares], [away]],
  ['an empty list, and the branch is nowhere', [], [], []],
  ['the branch, which is in both', [fares], [fares], []],
] as const)('the branches list has %s', async ([, here, there, messages]) => {
  const ask: Ask = async (_call, { deployment_id: id }) => {
    const text = JSON.stringify({ items: id === '2' ? here : there });
    return new Answer({ ...wire, status: 200, text }, request, []);
  };
  const bindings = { deployment: { id: '2' }, otherDeployment: { id: '1' }, sharedBranch: fares };
  const found = await checkBranches({
    ...{ target: { bindings, credentials: new Map() }, ask, askAs: () => ask },
    ...{ proven: new Set(), reader: 'admin', mayWrite: () => true, warn: () => {} },
  } as unknown as Parameters<typeof checkBranches>[0]);
  expect(found.map(({ message }) => message)).toEqual(messages);
});
