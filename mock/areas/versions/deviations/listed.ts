/** The versions list of a deployment, and how a deviation shows it. */

import type { Deviation, Scene } from '../../../deviations/deviation.ts';
import { deviationOf, type Json, mapItems } from '../../../deviations/transforms.ts';
import type { DeploymentRow } from '../../../world/rows.ts';
import type { State } from '../../../world/state.ts';
import { compareVersions } from '../machine.ts';

export const list = ['listVersions'] as const;

export function deploymentId({ call }: Scene): string {
  return call.requested.deployment ?? '';
}

export function deploymentIn(state: State, id: string): DeploymentRow | undefined {
  return state.tables.deployments.get(id);
}

export const isHead = (item: Json) => item.isLatestInChannel === true;
export const runs = (item: Json) => item.isCurrent === true;

export const byVersion = (a: Json, b: Json) =>
  compareVersions(String(b.version), String(a.version));

export function mark(field: 'isCurrent' | 'isLatestInChannel', which: (item: Json) => boolean) {
  return (item: Json): Json => ({ ...item, [field]: which(item) });
}

/** The channel that is first on the list. */
export function firstChannel(items: readonly Json[]): unknown {
  return items[0]?.releaseChannel;
}

/** The version below the head of the first channel; undefined where it lists the head alone. */
export function runnerUp(items: readonly Json[]): Json | undefined {
  const channel = firstChannel(items);
  return items
    .filter((item) => item.releaseChannel === channel && !isHead(item))
    .toSorted(byVersion)[0];
}

const deviation = deviationOf('versions', 'listVersions');

/** A deviation of what the list shows. */
export function shows(
  name: string,
  text: string,
  breaks: readonly string[],
  change: (items: readonly Json[], scene: Scene) => readonly Json[],
  collateral: readonly string[] = [],
): Deviation {
  return deviation(name, text, breaks, { handle: mapItems(change), collateral });
}
