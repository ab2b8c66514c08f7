/** Tests of the ledger's file. */
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Ledger, ledgerName, sealingWith } from './ledger.ts';

const header = { runId: 'r1', baseUrl: 'https://tenant.example', startedAt: '2026-01-01' };

test('only its user can read a ledger, because it holds data of the tenant', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-ledger-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // A link at a place to which the ledger is written for a moment is not followed.
  const other = join(folder, 'of-somebody');
  writeFileSync(other, 'mine');
  symlinkSync(other, join(folder, `${ledgerName(header.baseUrl)}.${process.pid}`));
  const ledger = Ledger.open(folder, header, sealingWith('a key'));
  expect(readFileSync(other, 'utf8')).toBe('mine');
  expect(statSync(ledger.file).mode & 0o777).toBe(0o600);
  ledger.close();
});
