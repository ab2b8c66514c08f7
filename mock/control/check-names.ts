/** What the routes of the control API take beside their path: a name that nobody reads is a slip. */
import { insteadOf } from '../../spec/base/similar.ts';
import { worldRequestNames } from '../world/world-request.ts';
import { type AdminCall, AdminError } from './route.ts';

const WORLD = '/__admin/worlds/{w}';
const CRITERIA = ['operation', 'method', 'path', 'status', 'credential'];

/** Query parameters by route; what is not named takes none. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  [`GET ${WORLD}/diff`]: ['since'],
  [`GET ${WORLD}/requests`]: ['operation', 'limit'],
};

/** Pages: whatever a browser or a link appends is nothing to them. */
const PAGES = ['GET /__admin', 'GET /__admin/docs'];

/** Fields of the body by route; what is not named takes none. Null: its handler knows them. */
const FIELDS: Readonly<Record<string, readonly string[] | null>> = {
  'POST /__admin/worlds': worldRequestNames,
  [`POST ${WORLD}/fork`]: ['id'],
  [`PUT ${WORLD}/clock`]: ['now', 'frozen'],
  [`POST ${WORLD}/clock/advance`]: null,
  [`POST ${WORLD}/faults`]: null,
  [`PUT ${WORLD}/assumptions`]: null,
  [`PUT ${WORLD}/deviations`]: ['deviations'],
  [`POST ${WORLD}/events`]: null,
  [`POST ${WORLD}/requests/find`]: CRITERIA,
  [`POST ${WORLD}/requests/count`]: CRITERIA,
};

/** Throws an AdminError for the first name that the route does not take, with the one it is near to. */
export function checkNames(
  route: string,
  { query, body }: Pick<AdminCall, 'query' | 'body'>,
): void {
  if (!PAGES.includes(route)) check(query.keys(), PARAMETERS[route] ?? [], 'query parameter');
  const fields = Object.hasOwn(FIELDS, route) ? FIELDS[route] : [];
  if (fields !== null && fields !== undefined) check(Object.keys(body), fields, 'field');
}

function check(names: Iterable<string>, known: readonly string[], what: string): void {
  for (const name of names) {
    if (known.includes(name)) continue;
    throw new AdminError(400, `The ${what} ${name} is not known${insteadOf(name, known)}`);
  }
}
