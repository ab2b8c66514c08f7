/** What the service's own description says otherwise than the contract, in words. */

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
