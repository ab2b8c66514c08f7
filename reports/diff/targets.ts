/** How two targets differ, put into words. No value of a target's data is shown. */

import {
  compareTargets,
  type Difference,
  type TargetRun,
} from '../../conformance/compare/targets.ts';
import { present } from '../text.ts';
import { type Digest, type DigestLine, findingsByKind, idsLine } from './digest.ts';
import { about } from './reports.ts';

const notes: Readonly<Record<Difference['kind'], string>> = {
  'mock wrong': 'a mock breaks a promise, or answers what the service never does',
  'target violates': 'a tenant breaks a promise of the description',
  'silence answered otherwise': 'the description leaves it open; --learn writes what B does',
  'cannot be compared': 'only one of the two was tried, or each at another place',
};

export function diffTargets(a: TargetRun, b: TargetRun): Digest {
  const { differences, brokenByBoth, warnings } = compareTargets(a, b);
  const found = findingsByKind(differences, notes, ['mock wrong', 'target violates'], line);
  const both = idsLine('statements', brokenByBoth);
  return {
    ...found,
    title: 'Two targets',
    about: { A: about(a.report), B: about(b.report) },
    warnings,
    sections: [...found.sections, { heading: 'Broken by both', uncounted: true, lines: both }],
  };
}

function line({ name, text, a, b, detail }: Difference): DigestLine {
  return { name, text, details: present(`A: ${a}; B: ${b}`, detail) };
}
