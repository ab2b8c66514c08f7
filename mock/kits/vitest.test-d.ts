/** Type tests of the kit: this file has to compile, and is never run. */
import { createMock, type DeviationId, type FolderRow, type Mock, type World } from './index.ts';
import type { operations, paths } from './types.ts';
import { expect, sweep, test } from './vitest.ts';

test('the fixtures of a test have types', ({ mock, world }) => {
  const given: [Mock, World] = [mock, world];
  return given;
});

test.override({ clock: '2026-01-31T09:30:00Z', seed: 1, fixture: { extends: 'acme' } });
test.override({ assumptions: { 'STAGE-9': 'conflict' } });
// @ts-expect-error a seed is a number
test.override({ seed: '1' });
// @ts-expect-error no such choice
test.override({ assumptions: { 'STAGE-9': 'conflct' } });
// @ts-expect-error no such silence
test.override({ assumptions: { 'STAGE-99': 'conflict' } });
test.override({ profile: 'profile.yaml', strict: true });

test('events have types', ({ world }) => {
  world.emit({ type: 'publishVersion', channel: 'preview', version: '1.8.0' });
  world.emit({ type: 'completeDbtSync', syncJobId: 'sync-running', models: 3, deployment: 1 });
  world.emit({ type: 'deleteDeployment', deploymentId: '2', in: { hours: 1 } });
  // @ts-expect-error no such event
  world.emit({ type: 'publishVersoin', channel: 'preview', version: '1.8.0' });
  // @ts-expect-error no such field
  world.emit({ type: 'publishVersion', chanel: 'preview', version: '1.8.0' });
  // @ts-expect-error a version is missing
  world.emit({ type: 'publishVersion', channel: 'preview' });
  // @ts-expect-error no such kind of branch
  world.emit({ type: 'createBranch', name: 'x', kind: 'production' });
  // If the type is known only at run time, the world checks the event.
  world.emit({ type: String(world.id), anything: 1 });
});

test('credentials have types', ({ world }) => {
  const admin: string = world.credentials.admin;
  return [admin, world.fetchAs('scoped'), world.fetchAs('of-another-fixture')];
});

test('the arguments of matchers have types', ({ world }) => {
  expect(world).toHaveReceived({ operation: 'updateFolder', path: /folders/, body: { name: 'x' } });
  expect(world).not.toHaveChanged({ folders: { 11: { name: 'x' }, 12: null } }, { only: true });
  // @ts-expect-error no such operation
  expect(world).toHaveReceived({ operation: 'dropFolder' });
  // @ts-expect-error no such column
  expect(world).toHaveChanged({ folders: { 11: { title: 'x' } } });
  // @ts-expect-error no such table
  expect(world).toHaveChanged({ shelves: {} });
});

test('requests and rows have types', ({ world }) => {
  const sent: string | null | undefined = world.requests.last()?.requestBody;
  const [asked, answered]: unknown[] = [
    world.requests.last()?.json(),
    world.requests.get(1)?.json('response'),
  ];
  const folder: FolderRow | undefined = world.state.tables.folders.get(11);
  // @ts-expect-error a folder has no title
  folder?.title;
  return [sent, asked, answered, folder?.position];
});

test('the options of a mock and of a test in another runner have types', () => {
  const known: DeviationId = 'staging:lost-enable';
  // @ts-expect-error no such deviation
  const unknown: DeviationId = 'staging:lost-enabel';
  const made: Promise<Mock> = createMock({ deviations: [known, unknown, 'of-a-later-version'] });
  return made.then((mock): ((name: string) => Promise<void>) =>
    mock.inWorld((world: World, name: string) => world.explain(new Error(name)).message),
  );
});

test('assumptions have types', ({ world }) => {
  world.assumptions.set({ 'STAGE-9': 'conflict' });
  // @ts-expect-error no such choice
  world.assumptions.set({ 'STAGE-9': 'conflct' });
  // A world checks the choices that were read from a file.
  world.assumptions.set(JSON.parse('{}') as Record<string, string>);
  return createMock({ profile: 'profile.yaml', strict: true });
});

test(
  'the argument of sweep has a type',
  sweep(async ({ world }) => void (await world.fetch('/'))),
);

export type Ids = keyof operations;
export type Path = keyof paths;
export const path: Path = '/api/v1/deployments';
// @ts-expect-error no such operation
export const id: Ids = 'dropFolder';
