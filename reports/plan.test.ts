import { expect, test } from 'vitest';
import type { PlannedWrite } from '../conformance/judge/report.ts';
import { planText } from './plan.ts';

const object = 'folder 11 of deployment 1';
const rename: PlannedWrite = {
  ...{ scenario: 'S', step: 'rename', operation: 'updateFolder', object, effect: 'reversible' },
  ...{ actor: 'member', sends: '{"name":"x"}', answer: 'open' },
};
const writes: readonly PlannedWrite[] = [
  { ...rename, step: 'protect', kind: 'look', actor: 'admin', sends: '{}' },
  rename,
  { ...rename, actor: 'header "Basic {credentials.admin}"', answer: 'refused' },
  { ...rename, step: 'restore', kind: 'put-back', actor: 'admin', sends: 'the value from before' },
  {
    ...{ ...rename, operation: 'updateDeployment', object: 'version of deployment 1' },
    ...{ effect: 'disruptive', sends: '{"releaseChannelVersion":"1.0.0"}', answer: 'accepted' },
  },
  { ...rename, operation: 'subscribe', object: 'recipients of 31', leaves: ['a@example.com'] },
  { ...rename, operation: 'subscribe', object: 'recipients of 31', leaves: ['a@example.com'] },
];
const tenant = { kind: 'tenant', baseUrl: 'https://acme.example.com' } as const;
const pace = { rate: 8, convergenceMs: 30_000 };

test('a plan lists writes, overwritten fields, lasting changes and the time it takes', () => {
  expect(planText({ writes, requests: 80, waits: 2 }, tenant, pace)).toBe(
    `plan: 7 writes to https://acme.example.com if no promise is broken
  disruptive  updateDeployment on version of deployment 1: 1 call: releaseChannelVersion; as member
  reversible  subscribe on recipients of 31: 2 calls: name; as member
  reversible  updateFolder on folder 11 of deployment 1: 4 calls: name, overwritten; 1 that the target must refuse; 1 to put the old value back; 1 with {}, to read it; as member, 1 odd header
restarts: 1 at most, 0 of them to put back a version
mark: none, so two machines at once would not notice each other; bind a folder
lasting changes, which nothing takes back:
  recipients of 31, by 2 calls: a@example.com
It takes about 10 s to 1 min 10 s: 80 requests at 8 a second.
A failed step is tried again, which writes more; --max-writes limits the sum. Nothing has been written yet.
`,
  );
});

test('a plan with a soak says that its writes come on top, and how long it takes', () => {
  const text = planText({ writes, requests: 80, waits: 2, soakWrites: 40 }, tenant, {
    ...pace,
    soakMs: 600_000,
  });
  expect(text).toContain(
    'soak: until 10 min 00 s have passed, scenarios are repeated in rounds; each round adds up to 40 writes to those above, until the next would exceed --max-writes\nIt takes about 10 min 00 s: at least 80 requests at 8 a second.\n',
  );
});

test('a plan says how a run on another machine notices this one', () => {
  const mark = { ...rename, scenario: 'mark of the run', sends: '{"name":"lockstep r1"}' };
  expect(planText({ writes: [...writes, mark], requests: 80, waits: 2 }, tenant, pace)).toContain(
    'mark: while the run writes, folder 11 of deployment 1 has the name of the run, and at the end its own again; a run on another machine that reads the name stops\n',
  );
});

test('a plan without writes, and one for a world of its own, is one line', () => {
  const nothing = { writes: [], requests: 8, waits: 0 };
  expect(planText(nothing, tenant, pace)).toBe(
    'plan: 0 writes to https://acme.example.com\nIt takes about 1 s: 8 requests at 8 a second.\n',
  );
  const mock = { kind: 'mock', baseUrl: 'http://127.0.0.1:4010' } as const;
  expect(planText({ writes, requests: 8, waits: 0 }, mock, pace)).toBe(
    'plan: 7 writes to http://127.0.0.1:4010, all in a world of its own\n',
  );
});
