/**
 * What the description allows and a runner may not expect, one row each: made as a break is, but no
 * promise is broken. `statements` are the silences that allow it.
 */

import {
  amended,
  asking,
  type Break,
  isServed,
  listed,
  redirected,
  relist,
  replaced,
} from './breaks/break.ts';
import {
  type Call,
  type Fields,
  fieldsOf,
  type Json,
  type Reply,
  reply,
  rowsOf,
} from './exchange.ts';

const people = (call: Call): Fields[] => rowsOf(fieldsOf(call.json).recipients);

const refusing =
  (status: number, fits: (call: Call) => boolean): Break['make'] =>
  ({ fires }) =>
  (call, serve) => {
    const done = fits(call) ? serve({ ...call, json: undefined }) : undefined;
    // Who may not come in is told so first.
    if (done === undefined || done.status === 401 || done.status === 403 || done.status === 404)
      return serve(call);
    return fires() ? reply(status, { error: 'E-999 not like this' }) : serve(call);
  };

const exported = (change: (text: string) => string): Break['make'] =>
  amended('audit', (done) => ({ ...done, body: change(String(done.body)) }));

const times = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

const asLists = (done: Reply, change: (row: Fields) => void): Reply => {
  const body = fieldsOf(done.body);
  for (const name of ['createdRecipients', 'updatedRecipients', 'unchangedRecipients'])
    rowsOf(body[name]).forEach(change);
  return done;
};

export const quirks = [
  {
    id: 'largest-page-is-the-default',
    statements: ['PAGE-7'],
    text: 'No page is larger than twenty.',
    make: redirected(['deployments', 'environments'], (call) =>
      Number(call.query.get('limit')) > 20
        ? asking(call, (query) => query.set('limit', '20'))
        : undefined,
    ),
  },
  {
    id: 'short-lives-refused',
    statements: ['META-13'],
    text: 'A token lives five minutes at least.',
    make: refusing(
      422,
      (call) => call.operation === 'token' && Number(fieldsOf(call.json).expires_in) < 300,
    ),
  },
  {
    id: 'one-token-a-minute',
    statements: ['META-1'],
    text: 'The same call within a minute is answered with the same token.',
    make: (scene) => {
      const made = new Map<string, { readonly at: number; readonly done: Reply }>();
      return (call, serve) => {
        const done = serve(call);
        if (call.operation !== 'token' || !isServed(done)) return done;
        const key = JSON.stringify([call.path, call.json, call.authorization]);
        const kept = made.get(key);
        if (kept !== undefined && scene.now() - kept.at < 60_000 && scene.fires())
          return structuredClone(kept.done);
        made.set(key, { at: scene.now(), done: structuredClone(done) });
        return done;
      };
    },
  },
  {
    id: 'embed-tenants-must-exist',
    statements: ['RECIP-6'],
    text: 'An embed tenant that nobody has made is answered 404.',
    make: refusing(
      404,
      (call) =>
        call.operation === 'recipients' &&
        people(call).some(
          (row) => row.embedTenantName !== undefined && row.embedTenantName !== 'haulier-nord',
        ),
    ),
  },
  {
    id: 'attributes-must-exist',
    statements: ['RECIP-12'],
    text: 'An attribute that the account does not define is answered 422.',
    make: refusing(
      422,
      (call) =>
        call.operation === 'recipients' &&
        people(call).some((row) => rowsOf(row.userAttributes).length > 0),
    ),
  },
  {
    id: 'groups-must-exist',
    statements: ['RECIP-13'],
    text: 'A group that the account does not have is answered 422.',
    make: refusing(
      422,
      (call) =>
        call.operation === 'recipients' &&
        people(call).some((row) => Array.isArray(row.groups) && row.groups.length > 0),
    ),
  },
  {
    id: 'names-are-short',
    statements: ['FOLDER-16'],
    text: 'A folder name of more than 24 characters is answered 422.',
    make: refusing(
      422,
      (call) => call.operation === 'folder' && String(fieldsOf(call.json).name ?? '').length > 24,
    ),
  },
  {
    id: 'names-are-plain',
    statements: ['FOLDER-16'],
    text: 'A folder name with a sign of markup is answered 422.',
    make: refusing(
      422,
      (call) =>
        call.operation === 'folder' && /[<>"&]/.test(String(fieldsOf(call.json).name ?? '')),
    ),
  },
  {
    id: 'path-from-the-parent-up',
    statements: ['FOLDER-11'],
    text: 'The chain of ancestors begins with the parent.',
    make: amended('folder', (done) => {
      const body = fieldsOf(done.body);
      body.folderPath = rowsOf(body.folderPath).reverse();
      return done;
    }),
  },
  {
    id: 'folder-few-fields',
    statements: ['FOLDER-13'],
    text: 'A folder shows its id, name and position alone.',
    make: amended('folder', (done) => {
      const { id, name, position, parentId } = fieldsOf(done.body);
      return { ...done, body: { id, name, position, parentId } as Fields };
    }),
  },
  {
    id: 'staging-ids-are-new',
    statements: ['ENV-8'],
    text: 'A staging environment has another id each time it is switched on, and is listed nowhere while off.',
    make: (scene) => {
      const counts = new Map<string, number>();
      return (call, serve) => {
        const shared = scene.state.branches.filter(({ kind }) => kind === 'shared');
        const was = new Map(shared.map(({ id, enabled }) => [id, enabled]));
        const done = serve(call);
        for (const { id, enabled } of shared) {
          if (enabled && was.get(id) === false)
            counts.set(`e${id.toString(36)}`, (counts.get(`e${id.toString(36)}`) ?? 0) + 1);
        }
        if (call.operation !== 'environments' || !isServed(done) || !scene.fires()) return done;
        return relist(done, (rows) =>
          rows.map((row) => ({
            ...row,
            id: counts.has(String(row.id))
              ? `${row.id}-${counts.get(String(row.id))}`
              : (row.id ?? null),
          })),
        );
      };
    },
  },
  {
    id: 'error-is-empty',
    statements: ['ERR-4'],
    text: 'The message of an error is an empty text.',
    make: replaced(
      (done) => 'error' in fieldsOf(done.body),
      (done) => ({ ...done, body: { error: '' } }),
    ),
  },
  {
    id: 'export-times-epoch',
    statements: ['AUDIT-14'],
    text: 'The times of an export are milliseconds since 1970.',
    make: exported((text) => text.replace(times, (time) => String(Date.parse(time)))),
  },
  {
    id: 'export-times-local',
    statements: ['AUDIT-14'],
    text: 'The times of an export have no zone, and a space.',
    make: exported((text) => text.replace(times, (time) => time.replace('T', ' ').slice(0, 19))),
  },
  {
    id: 'export-times-for-people',
    statements: ['AUDIT-14'],
    text: 'The times of an export are written as 3 Nov 2026, 10:42.',
    make: exported((text) =>
      text.replace(times, (time) => new Date(time).toUTCString().slice(5, 22)),
    ),
  },
  {
    id: 'export-times-in-words',
    statements: ['AUDIT-14'],
    text: 'The times of an export are written as in the year 2026 on day 276 at noon.',
    make: exported((text) =>
      text.replace(times, (time) => {
        const start = Date.parse(`${time.slice(0, 4)}-01-01`);
        const day = Math.floor((Date.parse(time) - start) / 86_400_000) + 1;
        return `in the year ${time.slice(0, 4)} on day ${day} at ${time.slice(11, 13)}`;
      }),
    ),
  },
  {
    id: 'export-without-header',
    statements: ['AUDIT-14'],
    text: 'The export has no header row.',
    make: exported((text) => text.replace(/^[^\r]*\r\n/, '')),
  },
  {
    id: 'export-without-emails',
    statements: ['AUDIT-14'],
    text: 'The export shows no email, only the number of the user.',
    make: exported((text) => text.replace(/"[a-z.]+(\d+)@harbour.example"/g, '"user $1"')),
  },
  {
    id: 'export-without-event-names',
    statements: ['AUDIT-14', 'AUDIT-15'],
    text: 'The export calls its events otherwise than the filter does.',
    make: exported((text) => text.replaceAll('"auth:sign-in"', '"Signed in"')),
  },
  {
    id: 'recipients-show-type-alone',
    statements: ['RECIP-29'],
    text: 'A recipient in an answer shows its type alone.',
    make: amended('recipients', (done) =>
      asLists(done, (row) => {
        for (const name of Object.keys(row)) if (name !== 'type') delete row[name];
      }),
    ),
  },
  {
    id: 'update-tells-the-old-version',
    statements: ['UPD-9'],
    text: 'The answer to an update shows the versions of before.',
    make: amended('update', (done) => ({
      ...done,
      status: 200,
      body: { data: { version: '0.0.0', isCurrent: false, id: 7 } },
    })),
  },
  {
    id: 'branches-in-pages',
    statements: ['BRANCH-1'],
    text: 'The branches list comes in pages of five, by a cursor.',
    make: amended('branches', (done, call) => {
      const rows: Json[] = listed(done);
      const page = Number(call.query.get('cursor') ?? 0);
      return {
        ...done,
        body: {
          values: rows.slice(page, page + 5),
          next_cursor: page + 5 < rows.length ? String(page + 5) : null,
        },
      };
    }),
  },
] as const satisfies readonly Break[];

export type QuirkId = (typeof quirks)[number]['id'];
