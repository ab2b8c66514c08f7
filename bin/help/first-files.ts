/** The files that `lockstep init` writes, as texts: a tenant file and a first test for each runner. */
import { type Key, tenantKeys } from '../../conformance/language/tenant-keys.ts';
import { variableOf } from '../../mock/client/variables.ts';
import type { TestRunner } from './test-runners.ts';

interface TenantParts {
  readonly name: string;
  readonly baseUrl: string;
  /** The address of the schema, for the editor. */
  readonly schema: string;
  /** An example of each binding. */
  readonly bindings: Readonly<Record<string, unknown>>;
}

/** As `npx` alone it would fetch a package of that name if ours were not installed. */
const lockstep = 'npx --no-install lockstep';

export const tenantFileOf = (name: string): string => `tenants/${name}.yaml`;
export const preflightOf = (name: string): string =>
  `${lockstep} preflight --tenant ${tenantFileOf(name)}`;

/** A tenant file with the fewest keys that a run needs, and each further key as a comment. */
export function tenantText({ name, baseUrl, schema, bindings }: TenantParts): string {
  const keys = new Map(tenantKeys().map((one) => [one.key, one]));
  const about = (key: string): string => keys.get(key)?.about ?? '';
  const below = (parent: string): Key[] =>
    [...keys.values()].filter(
      ({ key }) => key.startsWith(`${parent}.`) && !/NAME|\./.test(key.slice(parent.length + 1)),
    );
  const others = (parent: string, known: string, value: (key: string) => string): string[] =>
    below(parent).flatMap(({ key, about: told }) => {
      const short = key.slice(parent.length + 1);
      return short === known ? [] : [`  # ${told}`, `  # ${short}: ${value(short)}`];
    });
  const variable = (credential: string): string => `{ env: ${variableOf(credential)} }`;
  return [
    `# yaml-language-server: $schema=${schema}`,
    '# The tenant, its keys, and the objects that Lockstep may read or change. Keys stay in the environment: name their variables here.',
    `# To check this file: ${preflightOf(name)}`,
    '# A run only reads, unless --allow says more.',
    `name: ${name}`,
    `baseUrl: ${baseUrl} # ${about('baseUrl')}`,
    '# production: true',
    `credentials: # ${about('credentials')}`,
    `  # ${about('credentials.admin')}`,
    '  admin: { env: LOCKSTEP_ADMIN_KEY, role: admin }',
    ...others('credentials', 'admin', variable),
    '# features: { auditLog: true }',
    `bindings: # ${about('bindings')}`,
    `  # ${about('bindings.deployment')}`,
    '  deployment: { id: "1" }',
    ...others('bindings', 'deployment', (key) => JSON.stringify(bindings[key] ?? {})),
    '',
  ].join('\n');
}

interface FirstTest {
  readonly file: string;
  readonly text: string;
  /** The commands that run it. */
  readonly run: readonly string[];
}

const fetched = `  const response = await world.fetch('/api/v1/deployments');
  const { data } = await response.json();`;

/** `typed`: the project is in TypeScript. A runner without a kit gets a test that calls a running mock. */
export const firstTest = (runner: TestRunner, typed: boolean): FirstTest =>
  runner === 'vitest' && typed
    ? { ...firstTests.vitest, file: 'lockstep.test.ts' }
    : firstTests[runner];

const start = `${lockstep} mock &`;
const firstTests: Readonly<Record<TestRunner, FirstTest>> = {
  vitest: {
    file: 'lockstep.test.js',
    run: ['npx vitest run lockstep.test'],
    text: `import { expect, test } from 'lockstep/vitest';

test('the deployments of the account are listed', async ({ world }) => {
${fetched}
  expect(response.status).toBe(200);
  expect(data.deployments.length).toBeGreaterThan(0);
});
`,
  },
  node: {
    file: 'lockstep.test.mjs',
    run: ['node --test lockstep.test.mjs'],
    text: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMock } from 'lockstep/mock';

test('the deployments of the account are listed', async () => {
  const mock = await createMock();
  const world = await mock.createWorld();
${fetched}
  assert.equal(response.status, 200);
  assert.ok(data.deployments.length > 0);
  await mock.close();
});
`,
  },
  jest: {
    file: 'lockstep.test.js',
    run: [start, 'npx jest lockstep.test'],
    text: `const baseUrl = process.env.LOCKSTEP_BASE_URL ?? 'http://127.0.0.1:4010';
const key = process.env.LOCKSTEP_ADMIN_KEY ?? 'acme-admin';

test('the deployments of the account are listed', async () => {
  const headers = { Authorization: \`Bearer \${key}\` };
  const response = await fetch(\`\${baseUrl}/api/v1/deployments\`, { headers });
  const { data } = await response.json();
  expect(response.status).toBe(200);
  expect(data.deployments.length).toBeGreaterThan(0);
});
`,
  },
  pytest: {
    file: 'test_lockstep.py',
    run: [start, 'pytest test_lockstep.py'],
    text: `import json
import os
import urllib.request

BASE_URL = os.environ.get("LOCKSTEP_BASE_URL", "http://127.0.0.1:4010")
KEY = os.environ.get("LOCKSTEP_ADMIN_KEY", "acme-admin")


def test_the_deployments_of_the_account_are_listed():
    request = urllib.request.Request(
        f"{BASE_URL}/api/v1/deployments", headers={"Authorization": f"Bearer {KEY}"}
    )
    with urllib.request.urlopen(request) as response:
        assert response.status == 200
        assert json.load(response)["data"]["deployments"]
`,
  },
  go: {
    file: 'lockstep_test.go',
    run: [start, 'go test -run Lockstep .'],
    text: `package lockstep_test

import (
	"cmp"
	"encoding/json"
	"net/http"
	"os"
	"testing"
)

func TestLockstepListsTheDeployments(t *testing.T) {
	baseURL := cmp.Or(os.Getenv("LOCKSTEP_BASE_URL"), "http://127.0.0.1:4010")
	request, err := http.NewRequest("GET", baseURL+"/api/v1/deployments", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+cmp.Or(os.Getenv("LOCKSTEP_ADMIN_KEY"), "acme-admin"))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var body struct{ Data struct{ Deployments []json.RawMessage } }
	if err := json.NewDecoder(response.Body).Decode(&body); err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != 200 || len(body.Data.Deployments) == 0 {
		t.Fatalf("%d, %d deployments", response.StatusCode, len(body.Data.Deployments))
	}
}
`,
  },
};
