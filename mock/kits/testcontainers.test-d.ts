/** Type tests of the kit: this file has to compile, and is never run. */
import type { Fetch, LossReport, RemoteMock, World } from './index.ts';
import { LockstepContainer, type RemoteWorld } from './testcontainers.ts';

const container: LockstepContainer = new LockstepContainer('lockstep')
  .withFixture({ extends: 'acme' })
  .withTls('mock.internal')
  .withSeed(7)
  .withClock('2026-01-31T09:30:00Z')
  // The methods that every container has return the kit's type.
  .withNetworkAliases('mock')
  .withFixture('basic-plan');
// @ts-expect-error a seed is a number
container.withSeed('7');

export async function use(): Promise<void> {
  await using started = await container.start();
  const { ca, baseUrl, adminUrl, adminToken } = started;
  const given: [string | undefined, string, string, string] = [ca, baseUrl, adminUrl, adminToken];
  await using world: RemoteWorld = await started.world({ fixture: 'empty', seed: 1 });
  const fetch: Fetch = world.fetch;
  await world.emit({ type: 'publishVersion', channel: 'preview', version: '1.8.0' });
  await world.clock.advance({ hours: 48 });
  await world.faults.add({ operation: 'listDeployments', status: 503, times: 1 });
  // @ts-expect-error no such operation
  await world.faults.add({ operation: 'dropDeployments' });
  // @ts-expect-error a function does not reach another process
  await world.faults.add({ when: () => true });
  // @ts-expect-error a promise, unlike the World of the same process
  const copy: RemoteWorld = world.fork();
  const { runs }: LossReport = await world.losses(async (fork) => void (await fork.fetch('/')));
  const mock: RemoteMock = started.mock;
  void [given, fetch, copy, runs, mock];
}

/** With `await`, code for one kind of world works with the other; only these members differ. */
const special: Exclude<keyof World, keyof RemoteWorld> = 'service' as
  | 'service'
  | 'state'
  | typeof Symbol.dispose;
void special;
