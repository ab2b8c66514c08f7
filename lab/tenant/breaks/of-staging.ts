/** Single answers and states that lie: staging environments and branches. */

import { fieldsOf } from '../exchange.ts';
import { amended, type Break, data, listed, redirected, replaced, sending } from './break.ts';
import { undone } from './kit.ts';

/** Sends what passes where a toggle lacks something. */
const filled = (lacks: string, value: boolean | string): Break['make'] =>
  redirected('toggle', (call) => {
    const body = fieldsOf(call.json);
    const missing =
      lacks === 'enabled'
        ? body.enabled === undefined
        : body.branchName === undefined && body.branchId === undefined;
    return missing ? sending(call, (sent) => ({ ...sent, [lacks]: value })) : undefined;
  });

/** Serves a refused toggle of a branch of a kind as if the branch were shared. */
const shared = (kind: string): Break['make'] =>
  replaced(
    (reply, call) =>
      call.operation === 'toggle' && reply.status === 423 && fieldsOf(call.json).enabled === true,
    (reply, call, { state }) => {
      const { branchName, branchId } = fieldsOf(call.json);
      const branch = state.branches.find(
        (one) =>
          one.deployment === Number(call.path[0]) &&
          (one.id === branchId || one.name === branchName),
      );
      if (branch?.kind !== kind) return reply;
      branch.enabled = true;
      return {
        ...reply,
        status: 200,
        body: {
          data: {
            id: branch.id,
            name: branch.name,
            parentBranch: 'trunk',
            lastHash: branch.hash,
            isStagingEnvironmentEnabled: true,
          },
        },
      };
    },
  );

export const ofStaging = [
  {
    id: 'toggle-does-nothing',
    statements: ['STAGE-5', 'STAGE-6'],
    text: 'A switch is answered and not made.',
    make: undone('toggle', 'branches'),
  },
  {
    id: 'toggle-answer-inverted',
    statements: ['STAGE-3', 'STAGE-4'],
    text: 'The answer says the contrary.',
    make: amended('toggle', (reply) => {
      data(reply).isStagingEnvironmentEnabled = !data(reply).isStagingEnvironmentEnabled;
      return reply;
    }),
  },
  {
    id: 'toggle-id-text',
    statements: ['STAGE-2'],
    text: 'The id of the branch is a text.',
    make: amended('toggle', (reply) => {
      data(reply).id = String(data(reply).id);
      return reply;
    }),
  },
  {
    id: 'toggle-without-branch',
    statements: ['STAGE-13'],
    text: 'Without a branch the first shared one is switched.',
    make: filled('branchName', 'cranes'),
  },
  {
    id: 'toggle-without-enabled',
    statements: ['STAGE-14'],
    text: 'Without enabled a branch is switched on.',
    make: filled('enabled', true),
  },
  {
    id: 'toggle-personal',
    statements: ['STAGE-7'],
    text: 'A personal branch is switched on.',
    make: shared('personal'),
  },
  {
    id: 'toggle-production',
    statements: ['STAGE-8'],
    text: 'The production branch is switched on.',
    make: shared('production'),
  },
  {
    id: 'toggle-by-id-another',
    statements: ['STAGE-12'],
    text: 'By id another branch is switched.',
    make: redirected('toggle', (call) =>
      fieldsOf(call.json).branchId === 900_110
        ? sending(call, (body) => ({ ...body, branchId: 900_112 }))
        : undefined,
    ),
  },
  {
    id: 'branches-without-ids',
    statements: ['BRANCH-2'],
    text: 'The branches list holds no ids.',
    make: amended('branches', (reply) => {
      for (const row of listed(reply)) delete row.id;
      return reply;
    }),
  },
] as const satisfies readonly Break[];
