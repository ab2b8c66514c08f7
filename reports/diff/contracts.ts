/** The differences between the service's own description and the contract, in words. */

import type { Drift } from '../../conformance/compare/contracts.ts';
import { version } from '../../spec/base/version.ts';
import { atMost, present, ranges } from '../text.ts';
import { byKind, type Comparison } from './comparison.ts';

const file = 'spec/openapi.yaml';
const notes: Readonly<Record<Drift['kind'], string>> = {
  contradicts: 'one of the two is wrong',
  gone: 'in the contract, and not in the document',
  'not modelled': 'in the document, and not in the contract',
  'not compared':
    'references to other files or URLs are not followed; oneOf and anyOf are compared only for null, and not is not compared',
};
const MOST_FILES = 8;
const failing: readonly Drift['kind'][] = ['contradicts', 'gone'];

/** Whether a difference fails the comparison, and may fail a scenario. */
export const contradicts = ({ kind }: Drift): boolean => failing.includes(kind);

/** `scenarios` gives the files of the scenarios that would fail if the service follows its description. */
export function diffContracts(
  source: string,
  drifts: readonly Drift[],
  scenarios: (drift: Drift) => readonly string[] = () => [],
): Comparison {
  return {
    ...byKind(
      drifts.map((drift) => {
        const { kind, text, theirs, line, statements } = drift;
        const files = contradicts(drift) ? scenarios(drift) : [];
        const told = atMost(MOST_FILES, [...files], (left) => `${left} more`).join(', ');
        const details = present(
          `theirs: #${theirs}`,
          statements.length > 0 && `touches ${ranges(statements)}`,
          told !== '' && `would fail: ${told}`,
        );
        return { kind, text, name: `${file}:${line}`, details, fails: contradicts(drift) };
      }),
      notes,
    ),
    title: 'The description against the contract',
    about: { description: source, contract: `${file} of Lockstep ${version}` },
    warnings: [],
  };
}
