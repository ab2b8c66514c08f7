import { type CorpusEntry, put } from '../../../testing/corpus-entry.ts';

const deployments = '/api/v1/deployments';
const one = `${deployments}/1`;

export const corpus: readonly CorpusEntry[] = [
  { name: 'versions', send: { path: `${one}/versions` } },
  { name: 'unlisted version', send: put(one, { releaseChannelVersion: '9.9.9' }) },
  {
    name: 'a listed version of another image',
    send: put(one, { releaseChannelVersion: 'mirror.example.com/runtime:v1.6.3' }),
  },
  {
    name: 'a version as the member, by OAuth',
    send: put(one, { releaseChannelVersion: '1.6.3' }, { as: 'memberOauth' }),
  },
  { name: 'versions with paging', send: { path: `${one}/versions?offset=1&limit=2` } },
  {
    name: 'versions with a limit that holds them all',
    send: { path: `${one}/versions?limit=100` },
  },
  { name: 'switching the version', send: put(one, { releaseChannelVersion: 'v1.6.3' }) },
  { name: 'switching to the current version', send: put(one, { releaseChannelVersion: '1.6.1' }) },
  {
    name: 'version and channel',
    send: put(one, { releaseChannelVersion: '1.6.3', releaseChannel: 'preview' }),
  },
  {
    name: 'version and its channel',
    send: put(one, { releaseChannelVersion: '1.7.0', releaseChannel: 'preview' }),
  },
  {
    name: 'an unlisted version and a channel',
    send: put(one, { releaseChannelVersion: '9.9.9', releaseChannel: 'preview' }),
  },
  { name: 'versions by cursor', send: { path: `${one}/versions?first=2` } },
  { name: 'no such channel', send: put(one, { releaseChannel: 'nightly' }) },
  {
    name: 'versions right after a switch',
    before: [put(one, { releaseChannel: 'preview' })],
    send: { path: `${one}/versions` },
  },
];
