/** Deployments, with the version, the branches and the environments of each. */

import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import type { Bindings } from '../../language/vocabulary.ts';
import { isText, type Reads } from './reads.ts';
import type { Written } from './written.ts';

/** A branch whose kind is not known yet. Its environments may show it. */
interface OpenBranch {
  readonly realName: string;
  readonly row: BranchRow;
}

/** A branch in the fixture. */
export interface BranchRow {
  readonly id: number;
  readonly name: string;
  readonly deploymentId: string;
  kind: 'production' | 'shared' | 'personal';
  readonly parentBranch?: string;
  readonly lastHash?: string;
  stagingEnabled: boolean;
}

interface Held {
  readonly fixture: JsonObject;
  /** The branches of the bound deployments, by their real names. */
  readonly branches: ReadonlyMap<string, BranchRow>;
}

/** A deployment and its lists as they were read: of each item only the fields that a fixture takes. */
interface SeenDeployment {
  readonly item: JsonObject;
  /** The version that it runs, as `<channel>@<version>`. */
  readonly runs: string | undefined;
  readonly branches: readonly JsonObject[];
  readonly environments: readonly JsonObject[];
}

export interface SeenDeployments {
  /** The bound deployment comes first, because it shows how the tenant lists environments. */
  readonly deployments: readonly SeenDeployment[];
  readonly catalogue: Catalogue;
  /** The ids in the order of the deployments list. */
  readonly order: readonly string[];
}

export async function readDeployments(
  reads: Reads,
  written: Written,
  bindings: Bindings,
  onProgress: (done: number, all: number) => void = () => {},
): Promise<SeenDeployments> {
  const listed =
    (await reads.list('the deployments list', 'deployments')) ?? boundDeployments(bindings);
  const catalogue = new Catalogue(written);
  const isBound = ({ id }: JsonObject): boolean => String(id) === String(bindings.deployment?.id);
  const all = listed.filter(({ id }) => isText(id) || typeof id === 'number');
  const deployments: SeenDeployment[] = [];
  for (const item of [...all.filter(isBound), ...all.filter((one) => !isBound(one))]) {
    onProgress(deployments.length, all.length);
    const place = { deployment_id: String(item.id) };
    const versions = await reads.ask('the versions list', 'versions', place);
    const branches = await reads.branches(place.deployment_id);
    const environments = (await reads.list('the environments list', 'environments', place)) ?? [];
    deployments.push({
      item: fieldsOf(item, 'id', 'name', 'created_at'),
      runs: catalogue.add(versions?.body),
      branches: branches.map((one) => fieldsOf(one, ...branchFields)),
      environments: environments.map((one) => fieldsOf(one, ...environmentFields)),
    });
  }
  onProgress(all.length, all.length);
  return { deployments, catalogue, order: all.map(({ id }) => String(id)) };
}

const environmentFields = ['id', 'name', 'type', 'api_credentials'];
const branchFields = [
  ...['id', 'name', 'parentBranch', 'lastHash', 'isStagingEnvironmentEnabled', 'type', 'kind'],
];

const fieldsOf = (item: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, item[name]]));

export function deploymentRows(
  { deployments: seen, catalogue, order }: SeenDeployments,
  written: Written,
  bindings: Bindings,
): Held {
  const branchRows: BranchRow[] = [];
  const environments: JsonObject[] = [];
  const branches = new Map<string, BranchRow>();
  const kinds = new Kinds(bindings);
  const made = new Map<string, JsonObject>();
  for (const { item, runs, ...lists } of seen) {
    const id = String(item.id);
    const deploymentId = written.digits(id);
    written.add('deployment', id);
    const found = lists.branches.map((one) => openBranch(one, deploymentId, kinds, written));
    environments.push(...environmentRows(lists.environments, found, deploymentId, kinds, written));
    branchRows.push(...withProduction(found, deploymentId, written).map(({ row }) => row));
    if (bindings.deployment === undefined || id === String(bindings.deployment.id))
      for (const branch of found) branches.set(branch.realName, branch.row);
    const createdAt = written.time(item.created_at);
    made.set(id, {
      ...{
        id: deploymentId,
        name: written.names.name(isText(item.name) ? item.name : `deployment ${id}`),
      },
      ...(createdAt !== undefined && { createdAt }),
      ...(runs !== undefined && { runs }),
    });
  }
  const deployments = inFixtureOrder(order).map((id) => made.get(id));
  const rows = { deployments, branches: branchRows, environments };
  return { fixture: { ...catalogue.toFixture(), ...rows, ...goneIn(branchRows) }, branches };
}

/**
 * A fixture has its lists as `PAGE-10: ascending` shows them, so a list in descending order is reversed. A list in
 * another order stays as it is.
 */
function inFixtureOrder(keys: readonly string[]): readonly string[] {
  const isBefore = (one: string, other: string): boolean =>
    [one, other].every((key) => /^\d+$/.test(key)) ? Number(one) < Number(other) : one < other;
  const isDescending = keys.every((key, at) => at === 0 || isBefore(key, keys[at - 1] ?? ''));
  return isDescending ? keys.toReversed() : keys;
}

function boundDeployments({ deployment, otherDeployment }: Bindings): JsonObject[] {
  return [deployment, otherDeployment].flatMap((one) =>
    one?.id === undefined ? [] : [{ id: one.id }],
  );
}

/** Branches that others name as their parents and that no list shows. */
function goneIn(rows: readonly BranchRow[]): JsonObject {
  const known = new Set(rows.map(({ deploymentId, name }) => `${deploymentId}/${name}`));
  const gone = rows.flatMap(({ deploymentId, parentBranch }) =>
    parentBranch === undefined || known.has(`${deploymentId}/${parentBranch}`)
      ? []
      : [parentBranch],
  );
  return gone.length === 0 ? {} : { gone: { branches: [...new Set(gone)] } };
}

/** The versions of the account, gathered from the lists of its deployments. */
class Catalogue {
  readonly #written: Written;
  readonly #heads = new Map<string, string>();
  readonly #highest = new Map<string, string>();
  readonly #ran = new Set<string>();
  #repository: string | undefined;

  constructor(written: Written) {
    this.#written = written;
  }

  /** Adds a list of versions. Returns the one that the deployment runs, as `<channel>@<version>`. */
  add(body: unknown): string | undefined {
    const list = isObject(body) && Array.isArray(body.data) ? body.data.filter(isObject) : [];
    let runs: string | undefined;
    for (const { version, releaseChannel, releaseChannelVersion, ...flags } of list) {
      if (!isText(version) || !isText(releaseChannel)) continue;
      if (!/^\d+\.\d+\.\d+$/.test(version)) {
        this.#written.note('a version that is not of the form 1.2.3 is left out');
        continue;
      }
      const channel = this.#written.word(releaseChannel).replaceAll(/[@\s]/g, '-');
      if (isAbove(version, this.#highest.get(channel) ?? '')) this.#highest.set(channel, version);
      if (flags.isLatestInChannel === true) this.#heads.set(channel, version);
      else this.#ran.add(`${channel}@${version}`);
      if (flags.isCurrent === true) runs ??= `${channel}@${version}`;
      this.#repository ??= isText(releaseChannelVersion)
        ? this.#imageOf(releaseChannelVersion)
        : undefined;
    }
    if (list.length > 0 && runs === undefined)
      this.#written.note(
        'a versions list marks none as current: the fixture runs the head of the first channel',
      );
    return runs;
  }

  /** The repository of `<host>[:<port>]/<path>:v<version>`. */
  #imageOf(full: string): string | undefined {
    const [host = '', ...path] = full.replace(/:v?[\d.]+$/, '').split('/');
    const [name = '', port] = host.split(':');
    const made = [
      name.includes('.') ? this.#written.names.host(name) : this.#written.names.name(name),
    ];
    const whole = `${made}${port === undefined ? '' : `:${port}`}/${path.map((part) => this.#written.names.name(part)).join('/')}`;
    return /\s/.test(whole) ? undefined : whole.replace(/\/$/, '');
  }

  toFixture(): JsonObject {
    const channels = inFixtureOrder([...this.#highest.keys()]).map((name) => {
      const highest = this.#highest.get(name) ?? '';
      const head = this.#heads.get(name);
      if (head === undefined || isAbove(highest, head))
        this.#written.note(
          'the head of a channel is not its highest version: the fixture takes the highest',
        );
      return { name, head: highest };
    });
    if (channels.length === 0) return {};
    return {
      ...(this.#repository !== undefined && { imageRepository: this.#repository }),
      channels,
      ran: [...this.#ran],
    };
  }
}

function isAbove(version: string, other: string): boolean {
  return version.localeCompare(other, 'en', { numeric: true }) > 0;
}

/**
 * Finds the kind of a branch. The list may not show it, so the branches of the tenant file serve as
 * examples.
 */
class Kinds {
  readonly #bindings: Bindings;
  /** The prefix in the name of the bound personal branch, such as `dev-` or `wip/`. */
  readonly #personal: string | undefined;
  /** Whether the environment of a shared branch is listed for development while it is switched off. */
  listsSwitchedOff: boolean | undefined;

  constructor(bindings: Bindings) {
    this.#bindings = bindings;
    this.#personal = /^.*?[^\p{L}\p{N}]/u.exec(String(bindings.personalBranch?.name ?? ''))?.[0];
  }

  of(item: JsonObject, name: string): BranchRow['kind'] {
    const { productionBranch, sharedBranch, personalBranch } = this.#bindings;
    if (name === productionBranch?.name) return 'production';
    if (name === sharedBranch?.name) return 'shared';
    if (name === personalBranch?.name) return 'personal';
    const said = [item.type, item.kind].map((value) => String(value).toLowerCase());
    const kind = (['production', 'shared', 'personal'] as const).find((one) => said.includes(one));
    if (kind !== undefined) return kind;
    if (item.isStagingEnvironmentEnabled === true) return 'shared';
    const isMain = productionBranch === undefined && /^(main|master|production)$/i.test(name);
    if (isMain) return 'production';
    const isPersonal = this.#personal !== undefined && name.startsWith(this.#personal);
    return isPersonal ? 'personal' : 'shared';
  }

  isBoundShared(name: string): boolean {
    return name === this.#bindings.sharedBranch?.name;
  }
}

function openBranch(
  item: JsonObject,
  deploymentId: string,
  kinds: Kinds,
  written: Written,
): OpenBranch {
  const { id, name, parentBranch, lastHash, isStagingEnvironmentEnabled } = item;
  const realName = String(name);
  const kind = kinds.of(item, realName);
  const hash = written.hash(lastHash);
  const said = [item.type, item.kind].some((value) => isText(value));
  if (!said)
    written.note(
      'the branches list does not say which branches are shared: it is guessed from the names that are bound, and from environments',
    );
  return {
    realName,
    row: {
      ...{ id: written.number(id), deploymentId, name: written.names.name(realName), kind },
      ...(isText(parentBranch) && { parentBranch: written.names.name(parentBranch) }),
      ...(hash !== undefined && { lastHash: hash }),
      stagingEnabled: kind === 'shared' && isStagingEnvironmentEnabled === true,
    },
  };
}

/** A deployment has one production branch. */
function withProduction(found: readonly OpenBranch[], deploymentId: string, written: Written) {
  const [first, ...more] = found.filter(({ row }) => row.kind === 'production');
  for (const { row } of more) row.kind = 'shared';
  if (first !== undefined) return found;
  written.note('a deployment without a production branch gets one: its branches list shows none');
  const row = { id: written.number(`production ${deploymentId}`), deploymentId, name: 'main' };
  return [
    ...found,
    { realName: '', row: { ...row, kind: 'production' as const, stagingEnabled: false } },
  ];
}

const types = ['production', 'staging', 'development'];

/**
 * The environments of a deployment, each with its branch. The list does not show the branch, but
 * names may.
 */
function environmentRows(
  items: readonly JsonObject[],
  branches: OpenBranch[],
  deploymentId: string,
  kinds: Kinds,
  written: Written,
): JsonObject[] {
  const free = new Set(branches);
  const take = (branch: OpenBranch | undefined) => {
    if (branch !== undefined) free.delete(branch);
    return branch;
  };
  const named = (item: JsonObject) =>
    [...free]
      .filter(({ realName }) => String(item.name ?? '').includes(realName))
      .sort((one, other) => other.realName.length - one.realName.length)[0];
  return items.flatMap((item): JsonObject[] => {
    const type = types.find((one) => one === item.type);
    if (type === undefined) {
      written.note('an environment of another type than the three is left out');
      return [];
    }
    written.add('environment', item.id);
    const row = environmentRow(item, deploymentId, written);
    const byName = named(item);
    if (type === 'production') {
      const main = branches.find((one) => one.row.kind === 'production');
      take(main);
      return [{ ...row, type, ...(main && { branchId: main.row.id }) }];
    }
    if (type === 'staging') {
      const enabled = [...free].find((one) => one.row.stagingEnabled);
      const branch = take(byName ?? enabled) ?? inventedBranch(item, deploymentId, written);
      if (!branches.includes(branch)) branches.push(branch);
      branch.row.kind = 'shared';
      branch.row.stagingEnabled = true;
      return [{ ...row, type, branchId: branch.row.id }];
    }
    if (byName === undefined || byName.row.kind === 'production') return [{ ...row, type }];
    const { row: branch, realName } = byName;
    if (kinds.isBoundShared(realName)) kinds.listsSwitchedOff = true;
    take(byName);
    // A disabled staging environment is listed under the type development.
    const isOff = branch.kind === 'shared' && kinds.listsSwitchedOff === true;
    if (isOff) return [{ ...row, type: 'staging', branchId: branch.id }];
    if (!branch.stagingEnabled) branch.kind = 'personal';
    return [{ ...row, type, branchId: branch.id }];
  });
}

function inventedBranch(item: JsonObject, deploymentId: string, written: Written): OpenBranch {
  written.note('a staging environment whose branch is not listed gets an invented one');
  const id = written.number(`branch of ${String(item.id)}`);
  return {
    realName: '',
    row: { id, deploymentId, name: `invented-${id}`, kind: 'shared', stagingEnabled: true },
  };
}

function environmentRow(item: JsonObject, deploymentId: string, written: Written): JsonObject {
  const { rest, sql } = isObject(item.api_credentials) ? item.api_credentials : {};
  const url = isObject(rest) && isText(rest.url) ? written.names.url(rest.url) : undefined;
  const { host, port } = isObject(sql) ? sql : {};
  const isPort = Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536;
  return {
    ...{ id: written.id(item.id), deploymentId },
    ...(isText(item.name) && { name: written.names.name(item.name) }),
    ...(url !== undefined && { restUrl: url }),
    ...(isText(host) && { sqlHost: written.names.host(host) }),
    ...(isPort && { sqlPort: port }),
  };
}
