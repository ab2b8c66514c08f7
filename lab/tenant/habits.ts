/**
 * Habits are behaviours that the description allows and a runner may not expect. A tenant may have
 * any set of them. None breaks a promise.
 */

interface Habit {
  /** The statement that the habit concerns. */
  readonly statement: string;
  readonly text: string;
}

export const habits = {
  'already-so-refused': {
    statement: 'STAGE-20',
    text: 'A switch that changes nothing is refused.',
  },
  'attributes-must-exist': {
    statement: 'RECIP-50',
    text: 'An attribute that the account does not define is answered 422.',
  },
  'beyond-the-end-refused': {
    statement: 'PAGE-9',
    text: 'An offset beyond the end of the list is refused.',
  },
  'branches-in-pages': {
    statement: 'BRANCH-1',
    text: 'The branches list comes in pages of five, by a cursor.',
  },
  'embed-tenants-must-exist': {
    statement: 'RECIP-6',
    text: 'An embed tenant that nobody has made is answered 404.',
  },
  'error-is-empty': { statement: 'ERR-4', text: 'The message of an error is an empty text.' },
  'export-times-epoch': {
    statement: 'AUDIT-14',
    text: 'The times of an export are milliseconds since 1970.',
  },
  'export-times-for-people': {
    statement: 'AUDIT-14',
    text: 'The times of an export are written as 3 Nov 2026, 10:42.',
  },
  'export-times-in-words': {
    statement: 'AUDIT-14',
    text: 'The times of an export are written as in the year 2026 on day 276 at 12.',
  },
  'export-times-local': {
    statement: 'AUDIT-14',
    text: 'The times of an export have no zone, and a space.',
  },
  'export-times-spaced': {
    statement: 'AUDIT-14',
    text: 'The times of an export have spaces, and UTC at the end.',
  },
  'export-without-emails': {
    statement: 'AUDIT-14',
    text: 'The export shows no email, only the number of the user.',
  },
  'export-without-event-names': {
    statement: 'AUDIT-15',
    text: 'The export calls its events differently from the filter.',
  },
  'export-without-header': { statement: 'AUDIT-14', text: 'The export has no header row.' },
  'folder-few-fields': {
    statement: 'FOLDER-13',
    text: 'A folder shows its id, name, position and parent alone.',
  },
  'groups-must-exist': {
    statement: 'RECIP-50',
    text: 'A group that the account does not have is answered 422.',
  },
  'largest-page-is-the-default': { statement: 'PAGE-7', text: 'No page is larger than twenty.' },
  'names-are-plain': {
    statement: 'FOLDER-26',
    text: 'A folder name with a sign of markup is answered 422.',
  },
  'names-are-short': {
    statement: 'FOLDER-26',
    text: 'A folder name of more than 24 characters is answered 422.',
  },
  'one-token-a-minute': {
    statement: 'META-1',
    text: 'The same call within a minute is answered with the same token.',
  },
  'path-ends-with-itself': {
    statement: 'FOLDER-18',
    text: 'The chain of ancestors ends with the folder itself.',
  },
  'path-from-the-parent-up': {
    statement: 'FOLDER-28',
    text: 'The chain of ancestors begins with the parent.',
  },
  'recipients-show-type-alone': {
    statement: 'RECIP-29',
    text: 'A recipient in an answer shows its type alone.',
  },
  'short-lives-refused': { statement: 'META-12', text: 'A token lives five minutes at least.' },
  'staging-ids-are-new': {
    statement: 'ENV-8',
    text: 'A staging environment has another id each time it is switched on.',
  },
  'tokens-for-a-day': { statement: 'META-12', text: 'A token lives for a day at most.' },
  'update-tells-the-old-version': {
    statement: 'UPD-9',
    text: 'The answer to an update shows the version of before.',
  },
} as const satisfies Readonly<Record<string, Habit>>;

export type HabitId = keyof typeof habits;

export const isHabit = (id: string): id is HabitId => id in habits;

/**
 * A set of habits that is as unusual as the promises allow. A tenant without habits behaves in the
 * usual way.
 */
export const odd: readonly HabitId[] = [
  'already-so-refused',
  'beyond-the-end-refused',
  'export-times-spaced',
  'path-ends-with-itself',
  'tokens-for-a-day',
];

/** How often each habit has shown, by id. Only habits of the tenant are in it. */
export type Shown = Partial<Record<HabitId, number>>;

/** Whether the tenant has a habit. Called when the habit would show, and counts that. */
export function has({ habits: shown }: { readonly habits: Shown }, id: HabitId): boolean {
  const times = shown[id];
  if (times !== undefined) shown[id] = times + 1;
  return times !== undefined;
}
