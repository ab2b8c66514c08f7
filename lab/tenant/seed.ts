/** The initial state: the tenant of a shipping company. */

import type { HabitId } from './habits.ts';
import type { Branch, Folder, State, User } from './state.ts';

const day = 86_400_000;
const ports = ['Aarhus', 'Bilbao', 'Cadiz', 'Dover', 'Esbjerg', 'Fos', 'Genoa', 'Hull', 'Izmir'];
const names = ['Mira', 'Jonas', 'Wanda', 'Oskar', 'Lene', 'Pavel', 'Ines', 'Tariq', 'Sofie'];

/** A hexadecimal number that looks like a revision hash. */
const hash = (n: number): string => (n * 2_654_435_761).toString(16).padStart(12, 'd0');

export function seed(now: number, habits: readonly HabitId[]): State {
  const deployments = Array.from({ length: 57 }, (_, index) => ({
    id: 7001 + index,
    name: `${ports[index % ports.length]} terminal ${Math.floor(index / ports.length) + 1}`,
    createdAt: now - (400 - index * 3) * day - index * 7919,
    version: index % 3 === 0 ? '4.0.7' : '4.2.0',
  }));
  const branches = deployments.flatMap(({ id }) => branchesOf(id));
  return {
    habits: Object.fromEntries(habits.map((id) => [id, 0])),
    deployments,
    branches,
    channels,
    ran: ['4.2.0', '4.0.7', '4.1.3'],
    folders: folders(now),
    users: users(),
    embedUsers: [
      {
        id: 52001,
        tenant: 'haulier-nord',
        externalId: 'h-77',
        email: 'dispatch@nord.example',
        properties: {},
      },
    ],
    notifications: [
      { id: 8801, deployment: 7001 },
      { id: 8802, deployment: 7001 },
      { id: 8851, deployment: 7002 },
    ],
    subscriptions: [],
    syncs,
    events: events(now),
    tokens: {},
    calls: 0,
  };
}

/**
 * By deployment: the names of its shared branches, the enabled one, and the number of personal
 * ones.
 */
const populated: Readonly<Record<number, readonly [string[], string, number]>> = {
  7001: [['tariffs', 'berths', 'cranes'], 'berths', 19],
  7002: [['yard', 'gates'], '', 2],
  7005: [['night-shift'], 'night-shift', 1],
};

function branchesOf(deployment: number): Branch[] {
  const [shared, enabled, personal] = populated[deployment] ?? [[], '', 0];
  const make = (kind: Branch['kind'], name: string, index: number): Branch => {
    const id = (deployment - 7000) * 100 + 900_000 + index;
    return { id, deployment, name, kind, hash: hash(id), enabled: name === enabled, switchedOn: 0 };
  };
  return [
    ...Array.from({ length: personal }, (_, index) =>
      make('personal', `wip/${names[index % names.length]?.toLowerCase()}-${index}`, index + 40),
    ),
    ...shared.map((name, index) => make('shared', name, index + 10)),
    make('production', 'trunk', 1),
  ];
}

const repository = 'images.harbour.example:5000/run/engine';
const channels: State['channels'] = [
  { name: 'steady', repository, versions: ['4.2.0', '4.1.3', '4.1.0', '4.0.7', '3.9.9'] },
  { name: 'eager', repository, versions: ['5.0.10', '5.0.9', '5.0.2'] },
  { name: 'latest', repository, versions: ['4.10.1', '4.9.0'] },
];

function folders(now: number): Folder[] {
  const make = (id: number, deployment: number, name: string, parent?: number): Folder => ({
    id,
    deployment,
    name,
    parent,
    type: id % 10 === 3 ? 'WORKBOOK' : 'FOLDER',
    createdAt: now - 90 * day - id * 1000,
    updatedAt: now - 20 * day,
  });
  return [
    make(3310, 7001, 'Rates'),
    make(3320, 7001, 'Berth plans'),
    make(3330, 7001, 'Customs'),
    make(3340, 7001, 'Winter', 3310),
    make(3350, 7001, 'Ice class', 3340),
    make(3360, 7001, 'Summer', 3310),
    make(3410, 7002, 'Yard maps'),
    make(3420, 7002, 'Gate logs'),
  ];
}

const users = (): User[] =>
  Array.from({ length: 33 }, (_, index) => {
    const name = `${names[index % names.length]} ${ports[(index * 4) % ports.length]}`;
    return {
      id: 610 + index * 3,
      name,
      email: `${name.toLowerCase().replace(' ', '.')}${index}@harbour.example`,
    };
  });

const syncs: State['syncs'] = [
  { id: '0d9f6c1e-77aa-4a51-9d5e-3a4b5c6d7e8f', deployment: 7001, state: 'done' },
  { id: '1e0a7d2f-88bb-4b62-8e6f-4b5c6d7e8f90', deployment: 7001, state: 'running' },
  { id: '2f1b8e30-99cc-4c73-9f70-5c6d7e8f9011', deployment: 7001, state: 'failed' },
  { id: '30aa9f41-aadd-4d84-8a81-6d7e8f901122', deployment: 7001, state: 'done' },
];

function events(now: number): State['events'] {
  const people = users();
  const kinds = [
    'auth:sign-in',
    'folder:rename',
    'auth:sign-out',
    'model:publish, tagged',
    'report:"open"',
  ];
  return Array.from({ length: 380 }, (_, index) => ({
    at: now - 60 * day + index * Math.floor((58 * day) / 380),
    name: kinds[(index * 7) % kinds.length] ?? '',
    email: people[(index * index + index) % 7]?.email ?? '',
    about: `berth ${index % 12}; vessel ${['Skua', 'Petrel', 'Tern'][index % 3]}\nport "${ports[index % 9]}"`,
  }));
}
