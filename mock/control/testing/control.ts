/** A mock of its own for a file of tests, and the way to its control API. */
import { expect } from 'vitest';
import { createMock, type Mock, type World } from '../../kits/index.ts';

export const CLOCK = '2026-03-01T12:00:00.000Z';

export async function control() {
  const mock = await createMock();
  const ask = async (path: string, method = 'GET', body?: unknown, on: Mock = mock) => {
    const response = await on.fetch(`/__admin${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json: unknown = text === '' ? null : JSON.parse(text);
    return { status: response.status, headers: response.headers, body: json };
  };
  /** A frozen world, and how to reach its part of the control API. */
  const worldWith = async () => {
    const world = await mock.createWorld({ clock: CLOCK, seed: 3 });
    return {
      world,
      get: (path: string) => ask(`/worlds/${world.id}${path}`),
      post: (path: string, body?: unknown) => ask(`/worlds/${world.id}${path}`, 'POST', body),
      put: (path: string, body?: unknown) => ask(`/worlds/${world.id}${path}`, 'PUT', body),
      remove: (path: string) => ask(`/worlds/${world.id}${path}`, 'DELETE'),
    };
  };
  return { mock, ask, worldWith };
}

export const refused = (status: number, message: RegExp) => ({
  status,
  body: { error: expect.stringMatching(message) },
});

export const deployments = '/api/v1/deployments';
export const folder = `${deployments}/1/folders/11`;
export const rename = (world: World, name: string) =>
  world.fetch(folder, { method: 'PUT', body: JSON.stringify({ name }) });
export const as = (world: World, name: string) => ({
  headers: { Authorization: `Bearer ${world.id}-${name}` },
});
