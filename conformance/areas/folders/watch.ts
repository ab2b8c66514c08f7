/** The promises about a folder before and after an update. */

import { equal, isObject } from '../../../spec/base/json.ts';
import { first } from '../../language/matcher.ts';
import type { Compared, Seen, Sequence } from '../../watch/facts.ts';

/** The fields that an update leaves unchanged unless it sends them. */
const kept = ['name', 'position', 'type', 'createdAt', 'createdBy'];

function unchanged([before, now]: readonly Seen[], fields: readonly string[]): Compared {
  const [was, is] = [before?.answer.body, now?.answer.body];
  if (before?.answer.status !== 200 || now?.answer.status !== 200) return undefined;
  if (!isObject(was) || !isObject(is)) return undefined;
  const sent = isObject(now.sent) ? Object.keys(now.sent) : [];
  const shown = fields.filter(
    (name) => !sent.includes(name) && was[name] != null && is[name] != null,
  );
  if (shown.length === 0) return undefined;
  const changed = first(shown, (name) =>
    equal(was[name], is[name])
      ? undefined
      : { pointer: `/body/${name}`, expected: 'as it was before', actual: 'another' },
  );
  return changed ?? 'holds';
}

/** If an update has set a field, the next update that does not send the field must still show it. */
function stays([before, now]: readonly Seen[], field: string): Compared {
  const sent = before?.sent;
  if (before === undefined || !isObject(sent) || !(field in sent)) return undefined;
  return unchanged([before, ...(now === undefined ? [] : [now])], [field]);
}

/** The next update without a name shows if a refused update was carried out all the same. */
function refusedChange(calls: readonly Seen[]): Compared {
  const now = calls.at(-1);
  const before = calls.slice(0, -1);
  const from = before.findLastIndex(({ answer }) => answer.status === 200);
  const [was, is] = [before[from]?.answer.body, now?.answer.body];
  if (!isObject(was) || !isObject(is) || now?.answer.status !== 200) return undefined;
  if (isObject(now.sent) && 'name' in now.sent) return undefined;
  const refused = before
    .slice(from + 1)
    .flatMap(({ sent }) => (isObject(sent) && typeof sent.name === 'string' ? [sent.name] : []));
  if (refused.length === 0 || refused.includes(String(was.name))) return undefined;
  if (is.name === was.name) return 'holds';
  if (!refused.includes(String(is.name))) return undefined;
  return {
    pointer: '/body/name',
    expected: 'as it was before',
    actual: 'that of a refused update',
  };
}

const ofOneFolder = {
  operations: ['updateFolder'],
  key: ({ path }: Seen) => path.folderId ?? '',
} as const;

/** About fields that an update may have changed shortly before. */
const ofChanges = { ...ofOneFolder, lags: true } as const;

export const folderSequences: readonly Sequence[] = [
  { ...ofChanges, statement: 'FOLDER-2', compare: (calls) => stays(calls.slice(-2), 'name') },
  { ...ofChanges, statement: 'FOLDER-3', compare: (calls) => stays(calls.slice(-2), 'position') },
  { ...ofChanges, statement: 'FOLDER-4', compare: (calls) => unchanged(calls.slice(-2), kept) },
  {
    ...ofOneFolder,
    statement: 'FOLDER-5',
    compare: (calls) => unchanged(calls.slice(-2), ['parentId']),
  },
  { ...ofOneFolder, statement: 'FOLDER-12', compare: refusedChange },
];
