/** What the service's own description says otherwise than the contract, in words and as SARIF 2.1.0. */

import type { Drift } from '../../conformance/compare/contracts.ts';
import { version } from '../../spec/base/version.ts';
import { type Digest, type DigestLine, findingsByKind } from './digest.ts';

const file = 'spec/openapi.yaml';
const notes: Readonly<Record<Drift['kind'], string>> = {
  contradicts: 'one of the two is wrong',
  gone: 'in the contract, and not in the document',
  'not modelled': 'in the document, and not in the contract',
  'not compared':
    'references to other files or URLs are not followed; oneOf, anyOf and not are not compared',
};
const failing: readonly Drift['kind'][] = ['contradicts', 'gone'];

export function driftDigest(source: string, drifts: readonly Drift[]): Digest {
  const lineOf = ({ text, theirs, line }: Drift): DigestLine => {
    return { name: `${file}:${line}`, text, details: [`theirs: #${theirs}`] };
  };
  return {
    ...findingsByKind(drifts, notes, failing, lineOf),
    title: 'The description against the contract',
    about: { description: source, contract: `${file} of Lockstep ${version}` },
    warnings: [],
  };
}

/** The findings as code-scanning tools read them. */
export function driftSarif(drifts: readonly Drift[]): unknown {
  const ruleId = (kind: string): string => kind.replaceAll(' ', '-');
  return {
    $schema:
      'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            ...{ name: 'lockstep drift', version },
            rules: Object.entries(notes).map(([kind, text]) => ({
              ...{ id: ruleId(kind), shortDescription: { text } },
            })),
          },
        },
        results: drifts.map(({ kind, text, theirs, line }) => ({
          ruleId: ruleId(kind),
          level: failing.includes(kind) ? 'error' : 'note',
          message: { text },
          locations: [
            {
              physicalLocation: { artifactLocation: { uri: file }, region: { startLine: line } },
              logicalLocations: [{ fullyQualifiedName: `#${theirs}` }],
            },
          ],
        })),
      },
    ],
  };
}
