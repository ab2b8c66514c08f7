/**
 * The contract as a document for other programs: a generator of clients, or a program that imports requests.
 * It is loaded by the first request for it, because it needs a YAML parser.
 */
import { readFileSync } from 'node:fs';
import { parseDocument, stringify } from 'yaml';
import { contract, contractFile } from '../../spec/contract.ts';

export interface Server {
  readonly url: string;
  readonly description: string;
  readonly variables?: Readonly<Record<string, { readonly default: string }>>;
}

export type ContractFormat = 'json' | 'yaml';

/**
 * The texts with a placeholder for the servers. They are cached, because parsing the contract takes
 * 0.1 s.
 */
const kept = new Map<ContractFormat, string>();

/** The contract as text. `servers` replace the tenant's host. Only they differ from request to request. */
export function contractText(format: ContractFormat, servers: readonly Server[]): string {
  const text = kept.get(format) ?? withoutServers(format);
  kept.set(format, text);
  if (format === 'yaml')
    return text.replace(/^servers: .*\n/m, () => stringify({ servers }, { lineWidth: 0 }));
  const indented = JSON.stringify(servers, null, 2).replaceAll('\n', '\n  ');
  return text.replace(/^ {2}"servers": "servers"/m, () => `  "servers": ${indented}`);
}

function withoutServers(format: ContractFormat): string {
  const document = parseDocument(readFileSync(contractFile, 'utf8'));
  document.set('servers', 'servers');
  for (const { path, method, body } of contract.operations.values()) {
    if (body === null) continue;
    const content = ['paths', path, method.toLowerCase(), 'requestBody', 'content'];
    // Insomnia looks for an example only in the schema.
    const place = [...content, 'application/json', 'schema', 'example'];
    document.setIn(place, document.createNode(body.examples[0]));
  }
  return format === 'json'
    ? JSON.stringify(document.toJS(), null, 2)
    : document.toString({ lineWidth: 0 });
}
