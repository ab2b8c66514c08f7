/** Runs one test in-process and over a socket. */
import { afterAll, describe } from 'vitest';
import { startMock, type World, type WorldRequest } from '../kits/index.ts';

/** Sends a request to a world, as its administrator if the request has no credential. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>;

export interface Way {
  /** A world for one test; its clock is frozen at `NOW`. */
  newWorld(request?: WorldRequest): Promise<World>;
  sendTo(world: World): Send;
}

export const NOW = '2026-03-01T12:00:00.000Z';

export function bothWays(name: string, tests: (way: Way) => void): void {
  const starting = startMock({ clock: NOW, seed: 7 });
  afterAll(async () => (await starting).close());
  const newWorld: Way['newWorld'] = async (request) => (await starting).createWorld(request);
  describe(`${name}, in-process`, () => tests({ newWorld, sendTo: (world) => world.fetch }));
  describe(`${name}, over a socket`, () =>
    tests({
      newWorld,
      sendTo: (world) => (path, init) => {
        const headers = { Authorization: `Bearer ${world.credentials.admin}`, ...init?.headers };
        return fetch(`${world.baseUrl}${path}`, { ...init, headers });
      },
    }));
}
