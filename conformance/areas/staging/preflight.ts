/** Checks whether the branches list has the branches of a tenant file, with the declared kind. */

import { type JsonObject, objectsIn } from '../../../spec/base/json.ts';
import { wholeList } from '../../answers/whole-list.ts';
import type { PreflightFinding } from '../../judge/report.ts';
import type { PreflightCheck } from '../../safety/areas.ts';

const kinds = ['production', 'shared', 'personal'];

/**
 * The description does not fix the shape of the branches list (BRANCH-1). So a branch counts as missing only
 * if the list is known to be whole and gives each of its items a name.
 */
export const checkBranches: PreflightCheck = async ({ target, ask, proven }) => {
  const { deployment, otherDeployment } = target.bindings;
  if (ask === undefined || deployment?.id === undefined) return [];
  const answer = await ask('listBranches', { deployment_id: deployment.id });
  const shown = answer.ok ? [...objectsIn(answer.body)] : [];
  const list = answer.ok ? (wholeList(answer.body) ?? []) : [];
  const goesOn = [answer.wire.headers.link].flat().some((link) => /next/i.test(link ?? ''));
  const isWhole = list.length > 0 && !goesOn && list.every(({ name }) => typeof name === 'string');
  // A list without a branch has no shape to judge; the other deployment's list may have the branches.
  const isEmpty = answer.ok && shown.every(({ name }) => name === undefined);
  const elsewhere =
    isEmpty && otherDeployment?.id !== undefined
      ? await ask('listBranches', { deployment_id: otherDeployment.id })
      : undefined;
  const away = elsewhere?.ok ? [...objectsIn(elsewhere.body)].map(({ name }) => name) : [];
  return kinds.flatMap((kind): PreflightFinding[] => {
    const binding = `${kind}Branch`;
    const { name: wanted, id } = target.bindings[binding] ?? {};
    if (wanted === undefined) return [];
    const wrong = (message: string): PreflightFinding[] => [
      { name: binding, kind: 'binding', message: `the branches list ${message}` },
    ];
    const other = id === undefined ? undefined : otherThan({ id, name: wanted }, shown);
    if (other !== undefined)
      return wrong(
        `gives ${String(other.name)} the id ${JSON.stringify(other.id)}, and the tenant file ${String(wanted)} the id ${JSON.stringify(id)}`,
      );
    if (away.includes(wanted as string))
      return wrong(
        `of deployment ${String(deployment.id)} holds no ${String(wanted)}, and that of otherDeployment (${String(otherDeployment?.id)}) does`,
      );
    if (!isWhole) return [];
    const found = list.find(({ name }) => name === wanted);
    if (found === undefined) {
      const elsewhere = list.some((item) => Object.values(item).includes(wanted));
      return elsewhere ? [] : wrong(`holds no ${String(wanted)}`);
    }
    const said = [found.type, found.kind]
      .map((value) => String(value).toLowerCase())
      .find((value) => kinds.includes(value));
    if (said === kind) proven.add(binding);
    return said === undefined || said === kind
      ? []
      : wrong(`calls ${String(wanted)} ${said}, not ${kind}`);
  });
};

/**
 * A branch in the list with the same name and another id, or the reverse. The text "1" differs from
 * the number 1.
 */
function otherThan(bound: Branch, shown: readonly JsonObject[]): JsonObject | undefined {
  const branches = shown.filter(({ id, name }) => id !== undefined && typeof name === 'string');
  const isId = ({ id }: JsonObject): boolean => String(id) === String(bound.id);
  if (branches.some((item) => item.id === bound.id && item.name === bound.name)) return undefined;
  return branches.find((item) => isId(item) || item.name === bound.name);
}

interface Branch {
  readonly id: unknown;
  readonly name: unknown;
}
