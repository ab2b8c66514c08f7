/** Tests of the ledger's file. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Ledger, sealingWith } from './ledger.ts';

test('only its user can read a ledger, because it holds data of the tenant', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-ledger-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const header = { runId: 'r1', baseUrl: 'https://tenant.example', startedAt: '2026-01-01' };
  const ledger = Ledger.open(folder, header, sealingWith('a key'));
  expect(statSync(ledger.file).mode & 0o777).toBe(0o600);
  ledger.close();
});
