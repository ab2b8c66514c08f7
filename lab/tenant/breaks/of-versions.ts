/** Single answers and states that lie: versions. */

import { type Fields, fieldsOf } from '../exchange.ts';
import { amended, type Break, listed, redirected, replaced, sending } from './break.ts';
import { spelt, status, undone } from './kit.ts';

const versionRows = (change: (rows: Fields[]) => void): Break['make'] =>
  amended('versions', (reply) => {
    change(listed(reply));
    return reply;
  });

export const ofVersions = [
  {
    id: 'version-two-heads',
    statements: ['VER-7'],
    text: 'Each version is the latest of its channel.',
    make: versionRows((rows) =>
      rows.forEach((row) => {
        row.isLatestInChannel = true;
      }),
    ),
  },
  {
    id: 'version-none-current',
    statements: ['VER-8'],
    text: 'No version is the current one.',
    make: versionRows((rows) =>
      rows.forEach((row) => {
        row.isCurrent = false;
      }),
    ),
  },
  {
    id: 'version-with-letter',
    statements: ['VER-4'],
    text: 'version begins with v.',
    make: versionRows((rows) =>
      rows.forEach((row) => {
        row.version = `v${row.version}`;
      }),
    ),
  },
  {
    id: 'version-full-without-letter',
    statements: ['VER-3'],
    text: 'releaseChannelVersion has no v.',
    make: versionRows((rows) =>
      rows.forEach((row) => {
        row.releaseChannelVersion = String(row.releaseChannelVersion).replace(':v', ':');
      }),
    ),
  },
  {
    id: 'version-head-missing',
    statements: ['VER-5'],
    text: 'The head of a channel is missing once it is not run.',
    make: amended('versions', (reply) => {
      const rows = listed(reply);
      fieldsOf(reply.body).data = rows.filter(
        (row) =>
          row.releaseChannel !== 'eager' ||
          row.isLatestInChannel !== true ||
          row.isCurrent === true,
      );
      return reply;
    }),
  },
  {
    id: 'update-does-nothing',
    statements: ['UPD-1'],
    text: 'A switch of the version is answered and not made.',
    make: undone('update', 'deployments'),
  },
  {
    id: 'update-v-refused',
    statements: ['UPD-3'],
    text: 'The spelling with v is refused.',
    make: spelt(
      (text) => text.startsWith('v'),
      () => '0.0.0',
    ),
  },
  {
    id: 'update-full-refused',
    statements: ['UPD-4'],
    text: 'The full spelling is refused.',
    make: spelt(
      (text) => text.includes(':v'),
      () => '0.0.0',
    ),
  },
  {
    id: 'update-any-image',
    statements: ['UPD-8'],
    text: 'Another image is taken.',
    make: spelt(
      (text) => text.includes(':v') && !text.startsWith('images.harbour'),
      (text) => text.split(':v').at(-1) ?? '',
    ),
  },
  {
    id: 'update-unlisted-not-found',
    statements: ['UPD-5'],
    text: 'An unlisted version is answered 404.',
    make: status(400, 404, ['update']),
  },
  {
    id: 'update-unlisted-taken',
    statements: ['UPD-5'],
    text: 'An unlisted version is answered 202.',
    make: replaced(
      (reply, call) => call.operation === 'update' && reply.status === 400,
      (reply) => ({ ...reply, status: 202, body: {} }),
    ),
  },
  {
    id: 'update-channel-to-second',
    statements: ['UPD-7'],
    text: 'A channel moves the deployment to a version that it ran before.',
    make: redirected('update', (call) =>
      fieldsOf(call.json).releaseChannel === 'steady' &&
      fieldsOf(call.json).releaseChannelVersion === undefined
        ? sending(call, () => ({ releaseChannelVersion: '4.1.3' }))
        : undefined,
    ),
  },
] as const satisfies readonly Break[];
