/**
 * Which cells of the model's tables a run has entered: state x event, by area, in the model's own
 * words. The tables are written here, so that a cell that was never entered has a name as well.
 */

interface Table {
  readonly states: readonly string[];
  readonly events: readonly string[];
}

const switchEvents = ['enable by name', 'enable by id', 'disable by name', 'disable by id'];

/** `staging` has one table for each kind of branch. */
export const tables: Readonly<Record<string, Table>> = {
  'staging/shared': {
    states: ['unknown', 'disabled', 'enabled'],
    events: [
      ...switchEvents,
      'without branch',
      'without enabled',
      'in another deployment',
      'without authorisation',
      'listed',
      'listed by type',
    ],
  },
  'staging/personal': { states: ['disabled'], events: switchEvents },
  'staging/production': { states: ['disabled'], events: switchEvents },
  'staging/missing': { states: ['absent'], events: ['enable by name'] },
  version: {
    states: ['unknown', 'runs a head', 'runs an older one'],
    events: [
      'plain spelling',
      'spelling with v',
      'full spelling',
      'channel',
      'unlisted plain',
      'unlisted with v',
      'unlisted full',
      'unlisted that begins like a listed one',
      'another image',
      'channel and version',
      'unknown channel',
      'nothing',
      'without authorisation',
      'listed',
    ],
  },
  folder: {
    states: ['folder', 'nestedFolder', 'lockedFolder', 'foreignFolder'],
    events: [
      'read',
      'rename',
      'move',
      'rename and move',
      'parent sent',
      'half of it invalid',
      'without authorisation',
    ],
  },
  'folder/not there': {
    states: ['of another deployment', 'missing'],
    events: ['read', 'rename', 'move', 'rename and move'],
  },
  recipient: {
    states: ['unknown', 'absent', 'subscribed'],
    events: [
      'console user by id',
      'console user by email',
      'embed user with shaped id',
      'embed user with email',
      'embed user without email',
      'in a thousand',
      'changed context',
      'changed attributes',
      'changed groups',
      'left out',
      'here as well',
      'elsewhere as well',
      'beside a chat recipient',
      'beside an unresolvable one',
      'in too many',
      'without authorisation',
    ],
  },
  job: { states: ['completed', 'running', 'failed'], events: ['read', 'without authorisation'] },
};

/** Cells that no walk can enter, and why. */
const unreachable: readonly (readonly [cell: RegExp, reason: string])[] = [
  [
    /^recipient: unknown x (embed|in a thousand|in too many|.* as well)/,
    'the embed users of a walk are made up for it, so that they are absent at first for sure',
  ],
  [
    /^recipient: (unknown|absent) x (changed|left out)/,
    'only somebody who is known to be subscribed can be seen to change',
  ],
  [
    /^recipient: absent x console/,
    'console users are not made up: whether they are subscribed is unknown until they are added',
  ],
];

export interface CoverageData {
  /** `table: state x event` -> how often. */
  readonly entered: Readonly<Record<string, number>>;
  readonly missing: readonly string[];
  /** Cells that no walk can enter -> why. */
  readonly unreachable: Readonly<Record<string, string>>;
}

export class Coverage {
  readonly #entered = new Map<string, number>();

  enter(table: string, state: string, event: string): void {
    const cell = `${table}: ${state} x ${event}`;
    this.#entered.set(cell, (this.#entered.get(cell) ?? 0) + 1);
  }

  data(): CoverageData {
    const cells = Object.entries(tables).flatMap(([table, { states, events }]) =>
      states.flatMap((state) => events.map((event) => `${table}: ${state} x ${event}`)),
    );
    const entered = [...this.#entered].sort(([a], [b]) => (a < b ? -1 : 1));
    const absent = cells.filter((cell) => !this.#entered.has(cell));
    const reasons = absent.flatMap((cell): [string, string][] => {
      const found = unreachable.find(([pattern]) => pattern.test(cell));
      return found === undefined ? [] : [[cell, found[1]]];
    });
    const known = new Map(reasons);
    return {
      entered: Object.fromEntries(entered),
      missing: absent.filter((cell) => !known.has(cell)),
      unreachable: Object.fromEntries(known),
    };
  }
}
