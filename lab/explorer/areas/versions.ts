/** Switches of versions in three spellings, and of channels, and the list that they are chosen from. */

import fc from 'fast-check';
import { isObject } from '../../../spec/base/json.ts';
import type { Beliefs, Body, ExploredOperation, Judge } from '../call.ts';
import type { Rule } from '../contradiction.ts';

interface Version {
  readonly version: string;
  /** As the list spells it: a repository, a colon, `v` and the version. */
  readonly releaseChannelVersion: string;
  readonly releaseChannel: string;
  readonly isLatestInChannel: boolean;
}

const listed = (model: Beliefs): readonly Version[] =>
  (model.notes.get('versions') as readonly Version[] | undefined) ?? [];

const spellings = {
  'UPD-2': ({ version }: Version) => version,
  'UPD-3': ({ version }: Version) => `v${version}`,
  'UPD-4': ({ releaseChannelVersion }: Version) => releaseChannelVersion,
} as const;
type Spelling = keyof typeof spellings;

/** The version runs, however it was spelt. */
const runs = ({ releaseChannelVersion: value }: Version, statement: string) => ({
  releaseChannelVersion: { value, statement },
});

const toVersion =
  (allowed: readonly string[], index: number, statement: Spelling): Body =>
  (model, call) => {
    const current = model.known(call, 'releaseChannelVersion');
    const choices = listed(model).filter(
      ({ version, releaseChannelVersion }) =>
        allowed.includes(version) && releaseChannelVersion !== current,
    );
    const version = choices[index % choices.length];
    if (version === undefined) return undefined;
    const body = { releaseChannelVersion: spellings[statement](version) };
    return { body, sets: runs(version, statement), serves: statement };
  };

const toChannel =
  (allowed: readonly string[], index: number): Body =>
  (model) => {
    const heads = listed(model).filter(
      ({ version, isLatestInChannel }) => isLatestInChannel && allowed.includes(version),
    );
    const head = heads[index % heads.length];
    if (head === undefined) return undefined;
    const body = { releaseChannel: head.releaseChannel };
    return { body, sets: runs(head, 'UPD-7'), serves: 'UPD-7' };
  };

/** No tenant has it. */
const unlisted: Body = () => ({
  body: { releaseChannelVersion: '99.99.99' },
  rules: [['UPD-5', { status: { not: '2xx' } }]],
});

export const update: ExploredOperation = {
  body: ({ bindings: { versions } }) => {
    if (!Array.isArray(versions?.mayRun)) return undefined;
    const allowed = versions.mayRun.map(String);
    const spelling = fc.constantFrom<Spelling>('UPD-2', 'UPD-3', 'UPD-4');
    const index = fc.nat(59);
    return fc.oneof(
      {
        weight: 6,
        arbitrary: fc.tuple(index, spelling).map(([at, how]) => toVersion(allowed, at, how)),
      },
      { weight: 3, arbitrary: index.map((at) => toChannel(allowed, at)) },
      { weight: 1, arbitrary: fc.constant(unlisted) },
    );
  },
};

/** One version runs, and each channel has one head; what was listed stays, as a head or as run before. */
export const versions: Judge = ({ id, answer }, { path }, model) => {
  const data = isObject(answer.body) ? answer.body.data : undefined;
  if (!Array.isArray(data)) return [];
  const place = `versions at ${path.deployment_id}`;
  const since = model.notes.get(place);
  if (since === undefined) model.notes.set(place, id);
  if (listed(model).length === 0) model.notes.set('versions', data);
  const each = { $count: { where: { isLatestInChannel: true }, is: 1 } };
  const rules: Rule[] = [
    ['VER-8', { body: { data: { $count: { where: { isCurrent: true }, is: 1 } } } }],
    ['VER-7', { body: { data: { $groupBy: { by: 'releaseChannel', each } } } }],
  ];
  const before = `{steps.${String(since)}.body.data.version}`;
  const stays = { value: '{body.data.version}', is: { $supersetOf: before } };
  return since === undefined ? rules : [...rules, ['VER-6', { that: stays }]];
};
