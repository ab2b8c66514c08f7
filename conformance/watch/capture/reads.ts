/** Reads a tenant for a capture: plain rows, page by page. Refusals are noted and left out. */

import { count } from '../../../spec/base/count.ts';
import { type JsonObject, objectsIn } from '../../../spec/base/json.ts';
import type { OperationId } from '../../../spec/contract.ts';
import { wholeList } from '../../answers/whole-list.ts';
import type { Answer } from '../../language/answer.ts';
import type { Query } from '../../safety/areas.ts';
import { askWith, bearer, pagesOf } from '../../safety/ask.ts';
import { type Client, CouldNotRun, Unreadable } from '../../target/client.ts';

/** The credentials that may read; the first that the target has is used. */
const readers = ['admin', 'oauth', 'adminEmbed', 'member', 'memberOauth', 'scoped', 'embed'];
/** After this many refusals in a row, an area is not read again. */
const MOST_REFUSED = 20;
const PAGE = 100;

/** The operations that show the content of a tenant; the areas name them. */
export type CaptureCalls = Readonly<
  Record<
    'deployments' | 'versions' | 'environments' | 'branches' | 'users' | 'syncResult' | 'auditLog',
    OperationId
  >
>;

/** How the reads of an area ended. */
interface Area {
  read: number;
  /** The statuses of refusals, and reasons in words. */
  readonly refusals: Set<string>;
  refused: number;
  refusedInRow: number;
}

interface Asking {
  readonly query?: Query | undefined;
  /** The credential; by default the first that may read. */
  readonly as?: string | undefined;
  readonly isNextPage?: boolean;
}

export class Reads {
  readonly #client: Client;
  readonly #calls: CaptureCalls;
  readonly #areas = new Map<string, Area>();
  readonly notes: string[] = [];
  readonly reader: string | undefined;

  constructor(client: Client, calls: CaptureCalls) {
    this.#client = client;
    this.#calls = calls;
    this.reader = readers.find((name) => client.target.credentials.has(name));
  }

  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  /** All notes, including those about refusals. */
  told(): readonly string[] {
    const refused = [...this.#areas].flatMap(([name, area]) => {
      if (area.refused === 0) return [];
      const stopped = area.refusedInRow >= MOST_REFUSED ? ', and not asked for again' : '';
      const held = area.read === 0 ? 'none of it' : 'only the part that was read';
      const why = [...area.refusals].join(', ');
      return `${name} was refused ${count(area.refused, 'time')} (${why})${stopped}: the fixture has ${held}`;
    });
    return [...refused, ...this.notes];
  }

  /** The answer of a read; undefined if it is refused, or no credential may make it. */
  async ask(
    area: string,
    call: keyof CaptureCalls,
    parameters: JsonObject,
    { query = {}, as = this.reader, isNextPage = false }: Asking = {},
  ): Promise<Answer | undefined> {
    const { target } = this.#client;
    const known = this.#areaOf(area);
    if (known.refusedInRow >= MOST_REFUSED) return undefined;
    const authorization = bearer(target, as);
    if (authorization === undefined) {
      this.note(`${area} needs a credential that the tenant file does not have`);
      return undefined;
    }
    const got = await this.#once(call, parameters, query, authorization);
    if (typeof got !== 'string') {
      known.read += 1;
      known.refusedInRow = 0;
      return got;
    }
    if (isNextPage) {
      // A position after the end may be refused.
      if (got !== '416') this.note(`a page of ${area} was refused (${got}): the list may go on`);
      return undefined;
    }
    known.refusals.add(got);
    known.refused += 1;
    known.refusedInRow += 1;
    return undefined;
  }

  #areaOf(name: string): Area {
    const known = this.#areas.get(name);
    const area = known ?? { read: 0, refusals: new Set(), refused: 0, refusedInRow: 0 };
    this.#areas.set(name, area);
    return area;
  }

  /** The answer, or why there is none. */
  async #once(
    call: keyof CaptureCalls,
    parameters: JsonObject,
    query: Query,
    authorization: string,
  ): Promise<Answer | string> {
    try {
      const ask = askWith(this.#client, authorization, 'capture', 'probe');
      const answer = await ask(this.#calls[call], parameters, { query });
      return answer.ok ? answer : String(answer.status);
    } catch (error) {
      // After a persistent gateway, or an answer that is too large, the rest can still be read.
      if (error instanceof Unreadable) return error.message;
      if (!(error instanceof CouldNotRun) || error.status === 0) throw error;
      return String(error.status);
    }
  }

  /** The items of all pages of a list, each once; undefined if the first page is refused. */
  async list(
    area: string,
    call: keyof CaptureCalls,
    parameters: JsonObject = {},
    as = this.reader,
  ): Promise<readonly JsonObject[] | undefined> {
    // A list that others change may show an item twice.
    const items = new Map<string, JsonObject>();
    const ask: Parameters<typeof pagesOf>[0] = (_id, given, { query } = {}) =>
      this.ask(area, call, given, { query, as, isNextPage: items.size > 0 });
    const whole = { size: PAGE, most: Number.POSITIVE_INFINITY };
    for await (const page of pagesOf(ask, this.#calls[call], parameters, whole)) {
      if (page === undefined && items.size === 0) return undefined;
      for (const item of page?.items ?? []) items.set(String(item.id), item);
    }
    return [...items.values()];
  }

  /** The branches of a deployment; the shape of that list is a silence (BRANCH-1). */
  async branches(deployment: string): Promise<readonly JsonObject[]> {
    const answer = await this.ask('the branches list', 'branches', {
      deployment_id: deployment,
    });
    if (answer === undefined) return [];
    const found = [...objectsIn(answer.body)].filter(
      ({ id, name }) => (typeof id === 'number' || typeof id === 'string') && isText(name),
    );
    if (found.length > 0 && wholeList(answer.body) === undefined)
      this.note('a branches list may go on: a page of it was read');
    return [...new Map(found.map((item) => [String(item.id), item])).values()];
  }
}

export const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '';
