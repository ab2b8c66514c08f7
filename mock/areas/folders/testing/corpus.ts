import { type CorpusEntry, put } from '../../../testing/corpus-entry.ts';

const deployments = '/api/v1/deployments';
const one = `${deployments}/1`;

export const corpus: readonly CorpusEntry[] = [
  { name: 'folder of another deployment', send: put(`${one}/folders/21`, { name: 'x' }) },
  {
    name: 'folder without edit access',
    send: put(`${one}/folders/12`, { name: 'x' }, { as: 'member' }),
  },
  {
    name: 'no edit access and a bad body',
    send: put(`${one}/folders/12`, { name: 5 }, { as: 'member' }),
  },
  { name: 'renaming a folder at the top', send: put(`${one}/folders/11`, { name: 'Money' }) },
  { name: 'renaming a folder in a folder', send: put(`${one}/folders/13`, { name: 'Yearly' }) },
  { name: 'position after the siblings', send: put(`${one}/folders/11`, { position: 9 }) },
  {
    name: 'sibling of a folder that moved',
    before: [put(`${one}/folders/11`, { position: 1 })],
    send: put(`${one}/folders/12`, {}),
  },
  { name: 'empty name', send: put(`${one}/folders/11`, { name: '' }) },
  { name: 'blank name', send: put(`${one}/folders/11`, { name: ' ' }) },
  { name: 'long name', send: put(`${one}/folders/11`, { name: 'x'.repeat(256) }) },
  { name: 'name of a sibling', send: put(`${one}/folders/11`, { name: 'Operations' }) },
];
