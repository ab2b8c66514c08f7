/**
 * The versions that a deployment can be switched to, and the effect of a switch.
 * Statements VER-3 to VER-9, UPD-1 to UPD-8, UPD-15.
 */
import {
  type ChannelRow,
  compareVersions,
  type DeploymentRow,
  keys,
  type ReleaseRow,
} from '../../world/rows.ts';

/** The versions that the account can run: the head of each channel, and those that it has run before. */
export interface Catalogue {
  readonly imageRepository: string;
  readonly channels: readonly ChannelRow[];
  readonly ran: readonly ReleaseRow[];
}

export interface ListedVersion extends ReleaseRow {
  readonly isLatestInChannel: boolean;
}

/** Every cell that a switch can enter. */
export const cells = [
  ...['1.2.3', 'v1.2.3', 'full', 'channel'].flatMap((spelling) =>
    ['current', 'other'].map((target) => `version: by ${spelling}, to ${target}`),
  ),
  'version: unlisted',
  'version: unknown channel',
];

export const releaseKey = keys.ran;

export function channelOf(key: string): string {
  return key.slice(0, key.lastIndexOf('@'));
}

/** The spelling of a listed version. */
export function spellingOf(text: string): '1.2.3' | 'v1.2.3' | 'full' {
  if (text.includes(':')) return 'full';
  return text.startsWith('v') ? 'v1.2.3' : '1.2.3';
}

/** The heads and the versions that have run, by channel, newest first, without duplicates. */
export function listedVersions(catalogue: Catalogue): ListedVersion[] {
  const listed = new Map<string, ListedVersion>();
  for (const { name, head } of catalogue.channels) {
    const release = { channel: name, version: head };
    listed.set(releaseKey(release), { ...release, isLatestInChannel: true });
  }
  for (const release of catalogue.ran) {
    const key = releaseKey(release);
    if (!listed.has(key)) listed.set(key, { ...release, isLatestInChannel: false });
  }
  const channels = catalogue.channels.map(({ name }) => name);
  return [...listed.values()].sort(
    (a, b) =>
      channels.indexOf(a.channel) - channels.indexOf(b.channel) ||
      compareVersions(b.version, a.version),
  );
}

/** `<image repository>:v<version>` */
export function fullSpelling(catalogue: Catalogue, release: ReleaseRow): string {
  return `${catalogue.imageRepository}:v${release.version}`;
}

/** The part of a full spelling after the image repository: `v<version>`. */
export function withoutImage(spelling: string): string {
  const colon = spelling.lastIndexOf(':');
  return colon === -1 ? '' : spelling.slice(colon + 1);
}

/**
 * The listed version that a client names, in one of the three spellings. If two channels list
 * the version, the deployment's own channel comes first.
 */
export function findVersion(
  catalogue: Catalogue,
  spelling: string,
  currentChannel: string,
): ListedVersion | undefined {
  const fitting = listedVersions(catalogue).filter((release) =>
    [release.version, `v${release.version}`, fullSpelling(catalogue, release)].includes(spelling),
  );
  return fitting.find((release) => release.channel === currentChannel) ?? fitting[0];
}

export function channelHead(catalogue: Catalogue, channel: string): ReleaseRow | undefined {
  const row = catalogue.channels.find((item) => item.name === channel);
  return row === undefined ? undefined : { channel, version: row.head };
}

/** How long a switch takes to show if UPD-14 chooses a delay, ms. */
export const SWITCH_LAG_MS = 10_000;

/** The deployment after a switch at `now` (ms). */
export function switchVersion(
  deployment: DeploymentRow,
  to: ReleaseRow,
  now: number,
): DeploymentRow {
  const runs = releaseKey(to);
  return runs === deployment.runs
    ? deployment
    : { ...deployment, runs, before: { runs: deployment.runs, since: now } };
}
