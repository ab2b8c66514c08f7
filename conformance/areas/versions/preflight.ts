/** Checks whether the versions list has the versions that a tenant file allows. */

import { wholeList } from '../../answers/whole-list.ts';
import type { PreflightCheck } from '../../safety/areas.ts';

export const checkVersions: PreflightCheck = async ({ target, ask, proven, warn }) => {
  const { deployment, versions } = target.bindings;
  const mayRun = [versions?.mayRun ?? []].flat().map(String);
  if (ask === undefined || deployment?.id === undefined || mayRun.length === 0) return [];
  const answer = await ask('listVersions', { deployment_id: deployment.id });
  const list = answer.ok ? (wholeList(answer.body) ?? []) : [];
  const offered = list.map(({ version }) => version);
  if (list.length === 0 || !offered.every((version) => typeof version === 'string')) return [];
  const place = `the versions list of deployment ${String(deployment.id)}`;
  const wrong = (message: string) => [{ name: 'versions', kind: 'binding', message } as const];
  const others = mayRun.flatMap((version) => {
    const shown = list.find(
      (one) => version === `v${one.version}` || version === one.releaseChannelVersion,
    );
    return shown === undefined ? [] : [`${version} (write ${String(shown.version)})`];
  });
  if (others.length > 0)
    return wrong(`mayRun spells ${others.join(', ')} in another way than ${place}`);
  const unlisted = mayRun.filter((version) => !offered.includes(version));
  if (unlisted.length === mayRun.length)
    return wrong(
      `${place} (${offered.join(', ')}) holds nothing of mayRun (${mayRun.join(', ')}): the tenant file is wrong, or the list leaves it out`,
    );
  proven.add('versions');
  if (unlisted.length > 0)
    warn(
      `versions.mayRun: ${unlisted.join(', ')} is not on ${place}, so the run asks for it only to see that it is refused`,
    );
  const allowed = list.filter(({ version }) => mayRun.includes(String(version)));
  const heads = allowed.filter(({ isLatestInChannel }) => isLatestInChannel === true);
  const lacking = heads.length === 0 ? 'no head of a channel' : 'nothing but heads of channels';
  if (heads.length === 0 || heads.length === allowed.length)
    warn(
      `versions.mayRun: of ${place} it allows ${lacking}, so the run tries no switch between a head and an older version`,
    );
  return [];
};
