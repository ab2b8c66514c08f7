/** A ledger in the form of a run with the credential of the fake service's tenant file. */

import type { LedgerLine } from '../safety/ledger.generated.ts';
import { type LedgerHeader, sealingWith } from '../safety/ledger.ts';
import { secrets } from './fake-service.ts';

const seal = sealingWith(`Bearer ${secrets.admin}`);

/** The text of a line, after this header. */
export function sealedLine(header: Pick<LedgerHeader, 'baseUrl' | 'runId'>, line: object): string {
  return JSON.stringify({ ...line, mac: seal(header, line as LedgerLine) });
}
