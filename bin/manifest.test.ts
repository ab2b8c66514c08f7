/** The packages that a user installs, by `package.json` and the lockfile. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
};
const lock = JSON.parse(read('package-lock.json')) as {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly dependencies?: Readonly<Record<string, string>>;
        readonly hasInstallScript?: boolean;
      }
    >
  >;
};

test('a user installs fifteen packages at most, this one included', () => {
  const brought = new Set(Object.keys(manifest.dependencies));
  for (const name of brought) {
    const { dependencies = {} } = lock.packages[`node_modules/${name}`] ?? {};
    for (const next of Object.keys(dependencies)) brought.add(next);
  }
  expect(1 + brought.size, [...brought].join(', ')).toBeLessThanOrEqual(15);
});

test('the package that makes the bytes of a seed is pinned to one version', () => {
  // Another version of faker has other words (decisions/0037-what-a-user-installs.md).
  expect(manifest.dependencies['@faker-js/faker']).toMatch(/^\d+\.\d+\.\d+$/);
});

test('each install script of a package is allowed or refused, so that npm ci has no question', () => {
  const scripted = Object.entries(lock.packages).filter(([, one]) => one.hasInstallScript === true);
  const names = scripted.map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(Object.keys(manifest.allowScripts)).toEqual(expect.arrayContaining(names));
});

test('the lockfile names no registry', () => {
  expect(read('package-lock.json')).not.toContain('"resolved"');
});
