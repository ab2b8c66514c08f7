/** The tools that `lockstep mcp` offers an agent: each is one call of the control API, with its parameters. */
import { isObject, type JsonObject } from '../../spec/base/json.ts';

export interface Tool {
  readonly name: string;
  readonly about: string;
  /**
   * Method and path, below `/__admin/`. A `{name}` is filled in; names after `?` go into the query;
   * all other parameters are the body.
   */
  readonly call: string;
  /** JSON Schemas. */
  readonly parameters: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  /** Picks the requested part of the answer. */
  readonly pick?: (answer: JsonObject, given: JsonObject) => unknown;
}

const text = (description: string) => ({ type: 'string', description });
const number = (description: string) => ({ type: 'integer', description });
const world = { ...text('id of a world'), default: 'acme' };

export const tools: readonly Tool[] = [
  {
    name: 'worlds',
    about: 'Lists the worlds: each is one isolated tenant, with its address and its credentials.',
    call: 'GET worlds',
    parameters: {},
  },
  {
    name: 'make_world',
    about:
      'Makes a world. Give each test its own. The mock picks the world by the credential, so all worlds share one address.',
    call: 'POST worlds',
    parameters: {
      fixture: text('fixture of its start: acme (default), empty, basic-plan or large'),
      id: text('small letters and digits'),
      clock: text('ISO 8601: its start time'),
      seed: number('freezes its clock and makes it reproducible to the byte'),
    },
  },
  {
    name: 'reset_world',
    about: 'Puts a world back to its start.',
    call: 'POST worlds/{world}/reset',
    parameters: { world },
  },
  {
    name: 'requests',
    about:
      'Lists the last requests of a world, each with its credential, its answer, the reason of a refusal, and the statements that the answer rests on.',
    call: 'GET worlds/{world}/requests?operation&limit',
    parameters: {
      world,
      operation: text('only of this operation, such as updateFolder'),
      limit: { ...number('how many'), default: 20 },
    },
  },
  {
    name: 'explain',
    about:
      'Explains one request: the rule that refused it, with its statement, and repairs that a copy of the world has accepted.',
    call: 'GET worlds/{world}/requests/{request}',
    parameters: {
      world,
      request: number('its id, from `requests` or the header Lockstep-Entry'),
    },
    required: ['request'],
  },
  {
    name: 'faults',
    about: 'Lists the faults that are injected in a world.',
    call: 'GET worlds/{world}/faults',
    parameters: { world },
  },
  {
    name: 'inject_fault',
    about:
      'Makes the next requests of a world fail, as gateways and networks do. Without a status the phase decides.',
    call: 'POST worlds/{world}/faults',
    parameters: {
      world,
      operation: text('only requests of this operation; all without it'),
      status: number('status of the answer, such as 503'),
      phase: {
        ...text(
          'before: the service does nothing. after-commit: it does the work, and its answer is lost.',
        ),
        enum: ['before', 'after-commit', 'mid-body', 'socket'],
      },
      times: number('how many requests it strikes; all without it'),
      delayMs: number('waits before it answers'),
      retryAfter: number('seconds, for the header Retry-After'),
      credential: text('only requests with this credential, such as member'),
    },
  },
  {
    name: 'remove_faults',
    about: 'Removes all faults of a world.',
    call: 'DELETE worlds/{world}/faults',
    parameters: { world },
  },
  {
    name: 'emit_event',
    about:
      'Makes an event happen on the side of the service, such as {"type": "expireCredential", "credential": "admin"} or {"type": "publishVersion", "channel": "preview", "version": "1.8.0"}.',
    call: 'POST worlds/{world}/events',
    parameters: {
      world,
      event: { type: 'object', description: 'its type, and the fields of that type' },
    },
    required: ['event'],
  },
  {
    name: 'advance_clock',
    about: 'Moves the clock of a world forward.',
    call: 'POST worlds/{world}/clock/advance',
    parameters: {
      world,
      ...Object.fromEntries(
        ['days', 'hours', 'minutes', 'seconds'].map((unit) => [unit, { type: 'number' }]),
      ),
    },
  },
  {
    name: 'statements',
    about:
      'Finds statements: promises of the service (documented) and questions that it leaves open (silent, with the assumption of the mock and its alternatives).',
    call: 'GET statements',
    parameters: {
      find: text('an id such as STAGE-9 or its beginning (STAGE-), or words that the text holds'),
      level: { enum: ['documented', 'standard', 'silent'] },
    },
    pick: ({ statements }, { find = '', level }) => {
      const words = String(find).toLowerCase();
      const fits = (one: unknown): boolean =>
        isObject(one) &&
        (level === undefined || one.level === level) &&
        (String(one.id).toLowerCase() === words || textOfStatement(one).includes(words));
      const found = (statements as unknown[]).filter(fits);
      const exact = found.filter((one) => isObject(one) && String(one.id).toLowerCase() === words);
      return { statements: exact.length > 0 ? exact : found };
    },
  },
  {
    name: 'assume',
    about: 'Switches the choice of a world for a silence, such as {"STAGE-9": "conflict"}.',
    call: 'PUT worlds/{world}/assumptions',
    parameters: {
      world,
      choices: { type: 'object', description: 'ids of silent statements, each with its choice' },
    },
    required: ['choices'],
  },
];

const textOfStatement = ({ id, text: words, section }: JsonObject): string =>
  `${id} ${words} ${section}`.toLowerCase();

/** The call of the control API for a tool. Throws an Error for a missing or unknown parameter. */
export function callOf(tool: Tool, given: JsonObject) {
  const known = Object.keys(tool.parameters);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Error(
      `${tool.name} has no parameter ${unknown}; it has ${known.join(', ') || 'none'}`,
    );
  }
  const missing = tool.required?.find((name) => given[name] === undefined);
  if (missing !== undefined) throw new Error(`${tool.name} needs ${missing}`);
  const [method = '', place = ''] = tool.call.split(' ');
  const [path = '', query = ''] = place.split('?');
  const rest: Record<string, unknown> = { ...defaultsOf(tool), ...given };
  const take = (name: string): string => {
    const value = String(rest[name] ?? '');
    // As a segment of a path, these would name another place.
    if (/^\.{0,2}$/.test(value))
      throw new Error(`${tool.name}: ${name} cannot be ${JSON.stringify(value)}`);
    delete rest[name];
    return encodeURIComponent(value);
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => take(name));
  const asked = query.split('&').filter((name) => name !== '' && rest[name] !== undefined);
  const search = asked.map((name) => `${name}=${take(name)}`).join('&');
  // A tool has only named parameters, so an object that is the whole body has a name as well.
  const { event, choices, ...fields } = rest;
  const body = event ?? choices ?? fields;
  const sends = method === 'POST' || method === 'PUT';
  return {
    ...{ method, path: search === '' ? filled : `${filled}?${search}` },
    body: sends ? (body as JsonObject) : undefined,
  };
}

function defaultsOf({ parameters }: Tool): JsonObject {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, schema]) =>
      'default' in schema ? [[name, schema.default]] : [],
    ),
  );
}
