import { expect, test } from 'vitest';
import { Routes } from './routes.ts';

const routes = new Routes<string>();
routes.add('GET', '/users/{user-id}', 'a user');
routes.add('POST', '/users/me', 'myself');
routes.add('GET', '/users', 'all users');
routes.add('GET', '/files/{name}.{end}:copy (1)', 'a copy');

test.for([
  ['/users', 'all users', {}],
  ['/users/', 'all users', {}],
  ['/users/7', 'a user', { 'user-id': '7' }],
  ['/users/a%2Fb', 'a user', { 'user-id': 'a%2Fb' }],
  // If a path of its own exists for another method, this method falls through to the template.
  ['/users/me', 'a user', { 'user-id': 'me' }],
  ['/files/a.txt:copy%20(1)', 'a copy', { name: 'a', end: 'txt' }],
] as const)('GET %s is %s', ([path, value, params]) => {
  expect(routes.find('GET', path)).toEqual({ value, params });
});

test.for(['', '/', 'users', '//users', '/users//', '/Users', '/users/7/8', '/users?all'])(
  'GET %s matches no route',
  (path) => {
    expect(routes.find('GET', path)).toBeUndefined();
    expect(routes.at(path)).toEqual(new Map());
  },
);

test('a path has its routes by method', () => {
  const found = [...routes.at('/users/me')].map(([method, { value }]) => [method, value]);
  expect(found).toEqual([
    ['GET', 'a user'],
    ['POST', 'myself'],
  ]);
});
