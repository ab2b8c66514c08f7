/** The manifest for Kubernetes: valid by the published schemas, and of one mind with nginx.conf. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { publishedSchema } from '../../spec/testing/published-schema.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const manifest = readFileSync(`${folder}kubernetes.yaml`, 'utf8');

interface Kubernetes {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas?: number;
    readonly selector?: Readonly<Record<string, unknown>>;
    readonly ports?: readonly { readonly port: number }[];
  };
}
const objects = parseAllDocuments(manifest).map((document) => document.toJS() as Kubernetes);
const named = (kind: string, name: string) =>
  objects.find((object) => object.kind === kind && object.metadata.name === name);

process.stderr.write(
  `${'!'.repeat(20)} KUBERNETES WAS NOT ASKED: there is none here; the manifest was checked as a text\n`,
);

describe.each([
  ['StatefulSet', 'statefulset-apps-v1.json'],
  ['Service', 'service-v1.json'],
  ['Deployment', 'deployment-apps-v1.json'],
  ['Ingress', 'ingress-networking-v1.json'],
  ['PodDisruptionBudget', 'poddisruptionbudget-policy-v1.json'],
])('%s', (kind, name) => {
  const schema = publishedSchema(name, `THE ${kind.toUpperCase()} OF THE MOCK`);

  test('its schema is here, or CI has been told', () => {
    expect(schema !== undefined || process.env.CI !== 'true').toBe(true);
  });

  test.runIf(schema !== undefined)('is valid by the schema of Kubernetes', () => {
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
    const fits = ajv.compile(JSON.parse(readFileSync(schema ?? '', 'utf8')) as object);
    const own = objects.filter((object) => object.kind === kind);
    expect(own.length).toBeGreaterThan(0);
    for (const object of own) {
      expect(fits(object), JSON.stringify(fits.errors)).toBe(true);
      expect(fits({ ...object, spec: { ...object.spec, selecter: {} } })).toBe(false);
    }
  });
});

test('each process has an address of its own, and nginx knows them all', () => {
  const [, command = ''] = /^#\s+(sed .*) \|$/m.exec(manifest) ?? [];
  const { stdout } = spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' });
  expect(stdout).not.toContain('127.0.0.1');
  expect(stdout).toContain('  listen 4010;');
  const addresses = new Set(stdout.match(/lockstep-\d:\d+/g));
  expect(addresses.size).toBe(named('StatefulSet', 'lockstep')?.spec.replicas);
  for (const address of addresses) {
    const [name = '', port] = address.split(':');
    expect(named('Service', name)?.spec).toMatchObject({
      selector: { 'statefulset.kubernetes.io/pod-name': name },
      ports: [{ port: Number(port) }],
    });
  }
});
