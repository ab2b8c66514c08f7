/** Whether the branches of a tenant file are in the branches list, and of the kind that it says. */

import { wholeList } from '../../answers/whole-list.ts';
import type { PreflightFinding } from '../../judge/report.ts';
import type { PreflightCheck } from '../../safety/areas.ts';

const kinds = ['production', 'shared', 'personal'];

/**
 * The shape of the branches list is a silence (BRANCH-1): a branch is missing only from a list that
 * is known to be whole and that calls each of its items by a name.
 */
export const checkBranches: PreflightCheck = async ({ target, ask }) => {
  const { deployment } = target.bindings;
  if (ask === undefined || deployment?.id === undefined) return [];
  const answer = await ask('listBranches', { deployment_id: deployment.id });
  const list = answer.ok ? (wholeList(answer.body) ?? []) : [];
  const goesOn = [answer.wire.headers.link].flat().some((link) => /next/i.test(link ?? ''));
  if (list.length === 0 || goesOn || list.some(({ name }) => typeof name !== 'string')) {
    return [];
  }
  return kinds.flatMap((kind): PreflightFinding[] => {
    const binding = `${kind}Branch`;
    const wanted = target.bindings[binding]?.name;
    if (wanted === undefined) return [];
    const wrong = (message: string): PreflightFinding[] => [
      { name: binding, kind: 'binding', message: `the branches list ${message}` },
    ];
    const found = list.find(({ name }) => name === wanted);
    if (found === undefined) {
      const elsewhere = list.some((item) => Object.values(item).includes(wanted));
      return elsewhere ? [] : wrong(`holds no ${String(wanted)}`);
    }
    const other = [found.type, found.kind]
      .map((value) => String(value).toLowerCase())
      .find((value) => kinds.includes(value) && value !== kind);
    return other === undefined ? [] : wrong(`calls ${String(wanted)} ${other}, not ${kind}`);
  });
};
