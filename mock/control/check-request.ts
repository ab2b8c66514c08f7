/** What the routes of the control API take beside their path: a name that nobody reads is a slip. */
import { typeOf } from '../../spec/base/json.ts';
import { insteadOf } from '../../spec/base/similar.ts';
import { type AdminCall, AdminError } from './route.ts';

const WORLD = '/__admin/worlds/{w}';

/** Query parameters by route; what is not named takes none. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  [`GET ${WORLD}/diff`]: ['since'],
  [`GET ${WORLD}/requests`]: ['operation', 'limit'],
  [`GET ${WORLD}/events`]: ['history'],
};

/** Pages: whatever a browser or a link appends is nothing to them. */
const PAGES = ['GET /__admin', 'GET /__admin/docs'];

/** What a field may be, in words. */
const TYPES = {
  text: { types: ['string'], words: 'a string' },
  name: { types: ['string', 'null'], words: 'a string or null' },
  number: { types: ['number', 'integer'], words: 'a number' },
  integer: { types: ['integer'], words: 'an integer' },
  flag: { types: ['boolean'], words: 'true or false' },
  list: { types: ['array'], words: 'a list of ids' },
  object: { types: ['object'], words: 'an object' },
  fixture: { types: ['string', 'object'], words: 'the name of a fixture or a fixture itself' },
  time: { types: ['string'], words: 'an ISO 8601 time' },
} as const;

type Fields = Readonly<Record<string, keyof typeof TYPES>>;

const CRITERIA: Fields = {
  operation: 'name',
  method: 'text',
  path: 'text',
  status: 'number',
  credential: 'name',
};

/** Fields of the body by route; what is not named takes none. Null: its handler knows them. */
const FIELDS: Readonly<Record<string, Fields | null>> = {
  'POST /__admin/worlds': {
    id: 'text',
    fixture: 'fixture',
    parameters: 'object',
    clock: 'time',
    seed: 'integer',
    assumptions: 'object',
  },
  [`POST ${WORLD}/fork`]: { id: 'text' },
  [`PUT ${WORLD}/clock`]: { now: 'time', frozen: 'flag' },
  [`POST ${WORLD}/clock/advance`]: null,
  [`POST ${WORLD}/faults`]: null,
  [`PUT ${WORLD}/assumptions`]: null,
  [`PUT ${WORLD}/deviations`]: { deviations: 'list' },
  [`POST ${WORLD}/events`]: null,
  [`POST ${WORLD}/requests/find`]: CRITERIA,
  [`POST ${WORLD}/requests/count`]: CRITERIA,
};

/** Throws an AdminError for the first name or value that the route does not take. */
export function checkRequest(
  route: string,
  { query, body }: Pick<AdminCall, 'query' | 'body'>,
): void {
  if (!PAGES.includes(route)) checkNames(query.keys(), PARAMETERS[route] ?? [], 'query parameter');
  const fields = FIELDS[route] === undefined ? {} : FIELDS[route];
  if (fields === null) return;
  checkNames(Object.keys(body), Object.keys(fields), 'field');
  for (const [name, type] of Object.entries(fields)) {
    const { types, words } = TYPES[type];
    const value = body[name];
    if (value === undefined || types.some((known) => known === typeOf(value))) continue;
    throw new AdminError(400, `${name} must be ${words}, not ${JSON.stringify(value)}`);
  }
}

function checkNames(names: Iterable<string>, known: readonly string[], what: string): void {
  for (const name of names) {
    if (known.includes(name)) continue;
    throw new AdminError(400, `The ${what} ${name} is not known${insteadOf(name, known)}`);
  }
}
