/** `lockstep contract`: the contract as a document for other tools. */
import { readFileSync } from 'node:fs';
import { contractText } from '../../mock/control/contract-text.ts';
import { Refused } from '../../spec/base/refused.ts';
import { contractFile } from '../../spec/contract.ts';

export function printContract({ baseUrl, json }: { baseUrl?: string; json?: true }): void {
  if (baseUrl !== undefined && !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? '')) {
    const example = 'http://127.0.0.1:4010';
    throw new Refused(`--base-url takes an address such as ${example}, not ${baseUrl}`);
  }
  const url = baseUrl?.replace(/\/$/, '') ?? 'https://acme.example.com';
  const isAsWritten = baseUrl === undefined && json !== true;
  const text = isAsWritten
    ? readFileSync(contractFile, 'utf8')
    : contractText(json === true ? 'json' : 'yaml', [{ url, description: 'The service.' }]);
  process.stdout.write(`${text.trimEnd()}\n`);
}
