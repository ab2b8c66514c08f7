/** What the service's own description says otherwise than the contract, in words and as SARIF 2.1.0. */

import type { Drift } from '../../conformance/compare/contracts.ts';
import { version } from '../../spec/base/version.ts';
import { byKind, type Comparison } from './comparison.ts';

const file = 'spec/openapi.yaml';
const notes: Readonly<Record<Drift['kind'], string>> = {
  contradicts: 'one of the two is wrong',
  gone: 'in the contract, and not in the document',
  'not modelled': 'in the document, and not in the contract',
  'not compared':
    'references to other files or URLs are not followed; oneOf, anyOf and not are not compared',
};
const failing: readonly Drift['kind'][] = ['contradicts', 'gone'];

export function diffContracts(source: string, drifts: readonly Drift[]): Comparison {
  return {
    ...byKind(
      drifts.map(({ kind, text, theirs, line }) => ({
        ...{ kind, text, name: `${file}:${line}`, details: [`theirs: #${theirs}`] },
        fails: failing.includes(kind),
      })),
      notes,
    ),
    title: 'The description against the contract',
    about: { description: source, contract: `${file} of Lockstep ${version}` },
    warnings: [],
  };
}

/** The findings as code-scanning tools read them. */
export function driftSarif(drifts: readonly Drift[]): unknown {
  const ruleId = (kind: string): string => kind.replaceAll(' ', '-');
  const rules = Object.entries(notes).map(([kind, text]) => {
    return { id: ruleId(kind), shortDescription: { text } };
  });
  const results = drifts.map(({ kind, text, theirs, line }) => {
    const region = { startLine: line };
    const physicalLocation = { artifactLocation: { uri: file }, region };
    const logicalLocations = [{ fullyQualifiedName: `#${theirs}` }];
    return {
      ruleId: ruleId(kind),
      level: failing.includes(kind) ? 'error' : 'note',
      message: { text },
      locations: [{ physicalLocation, logicalLocations }],
    };
  });
  return {
    $schema:
      'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'lockstep drift', version, rules } }, results }],
  };
}
