/**
 * Answers made from a description alone: for paths that the contract does not model (`--description FILE`),
 * and for requests with a `Prefer` header. Prism makes them; it is optional and loaded on first use.
 */
import { isObject, parseJson } from '../../spec/base/json.ts';
import { Refused, readText } from '../../spec/base/refused.ts';
import { contractFile, named } from '../../spec/contract.ts';
import { Routes } from '../../spec/routes.ts';
import type { PipelineOptions, SimulationRequest } from '../pipeline/decision.ts';
import { isRefusal, type Refusal, type Reply, refusal } from '../pipeline/exchange.ts';

type Prism = typeof import('@stoplight/prism-http');
type HttpOperation = Awaited<ReturnType<Prism['getHttpOperationsFromSpec']>>[number];

/**
 * The ground of a refusal if the header asks for an impossible answer. No statement covers this.
 */
const PREFER = 'Prefer';

const MISSING =
  'This answer is made by Prism, which is not installed. Install it with: npm install @stoplight/prism-http@5.16.0 (it needs Node 24.18 or later)';

/** A simulator over the contract and, if one is given, another description of the service. */
export async function createSimulator(
  descriptionFile?: string,
): Promise<Pick<PipelineOptions, 'simulate' | 'describes'>> {
  const paths = descriptionFile === undefined ? undefined : await describedPaths(descriptionFile);
  // They are kept as promises, so that parallel requests load them only once.
  let prism: Promise<Prism | undefined> | undefined;
  const operations = new Map<string, Promise<HttpOperation[]>>();
  return {
    describes: paths && ((method, path) => describedAt(paths, method, path)),
    async simulate(asked) {
      prism ??= loadPrism();
      const loaded = await prism;
      if (loaded === undefined) return refusal(501, named.unknownPath, MISSING);
      const { operation, request, path } = asked;
      const file = operation === undefined ? (descriptionFile ?? contractFile) : contractFile;
      const known = operations.get(file) ?? loaded.getHttpOperationsFromSpec(file);
      operations.set(file, known);
      // Prism needs paths relative to the server's path.
      const base =
        operation === undefined ? paths?.find(request.method, path)?.value.base : undefined;
      return ask(loaded, await known, { ...asked, path: path.slice(base?.length) });
    },
  };
}

async function loadPrism(): Promise<Prism | undefined> {
  try {
    return await import('@stoplight/prism-http');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** The demands of a Prefer header (RFC 7240) on a simulated answer. */
interface Wish {
  readonly code: number | undefined;
  readonly example: string | undefined;
  readonly dynamic: boolean;
}

async function ask(
  prism: Prism,
  operations: HttpOperation[],
  simulation: SimulationRequest,
): Promise<Reply | Refusal> {
  const wish = readWish(simulation.request.headers.prefer ?? '');
  const { operation } = simulation;
  const { code } = wish;
  if (operation !== undefined && code !== undefined && !operation.responseFor(code)) {
    const declared = Object.keys(operation.responses).join(', ');
    const message = `The contract has no answer ${code} of ${operation.id}; it has ${declared}`;
    return refusal(400, PREFER, message);
  }
  const made = await make(prism, operations, simulation, wish);
  if (!wish.dynamic || isRefusal(made) || operation === undefined) return made;
  // The generator does not support every JSON Schema keyword. An example always fits the contract.
  const declared = operation.responseFor(made.status);
  const open = Object.keys(declared?.schema ?? {}).length === 0;
  const failures = declared?.validate(made.body) ?? [];
  if (failures.length === 0 && !open) return made;
  return make(prism, operations, simulation, { ...wish, dynamic: false });
}

function readWish(prefer: string): Wish {
  const value = (name: string) => new RegExp(`(?:^|[\\s,;])${name}=([\\w.-]+)`).exec(prefer)?.[1];
  const code = value('code');
  return {
    code: code === undefined ? undefined : Number(code),
    example: value('example'),
    dynamic: value('dynamic') === 'true',
  };
}

const levels = ['info', 'warn', 'error', 'debug', 'trace', 'success', 'fatal'];
const silent: Record<string, unknown> = {
  child: () => silent,
  ...Object.fromEntries(levels.map((level) => [level, () => {}])),
};

async function make(
  prism: Prism,
  operations: HttpOperation[],
  { request, path, query, operation }: SimulationRequest,
  { code, example, dynamic }: Wish,
): Promise<Reply | Refusal> {
  const config = {
    mock: { dynamic, code, exampleKey: example },
    checkSecurity: false,
    // The contract's operations were validated by the pipeline.
    validateRequest: operation === undefined,
    validateResponse: false,
    errors: false,
    upstreamProxy: undefined,
    isProxy: false,
  };
  const sent = Object.entries(request.headers).filter(([, value]) => value !== undefined);
  const input = {
    // HEAD is GET without the body, which is left out when the answer is written.
    method: (request.method === 'HEAD' ? 'get' : request.method.toLowerCase()) as 'get',
    url: { path, query: Object.fromEntries(new URLSearchParams(query)) },
    headers: Object.fromEntries(sent) as Record<string, string>,
    ...(request.body === undefined ? {} : { body: valueOfBody(request.body) as never }),
  };
  const instance = prism.createInstance(config as never, { logger: silent as never });
  const result = await instance.request(input, operations)();
  if (result._tag === 'Left') {
    const { message, status, additional } = result.left as PrismError;
    const invalid = (additional?.validation ?? []).map((problem) => problem.message).join('; ');
    const ground = operation === undefined ? named.unknownPath : PREFER;
    if (invalid !== '') return refusal(400, ground, invalid);
    const text = `No such answer can be made from the description: ${message}`;
    // A request for an answer that does not exist is the client's error.
    const refused = status === undefined || status >= 500 ? 400 : status;
    return refusal(refused, ground, text);
  }
  const { output } = result.right;
  const headers = Object.fromEntries(
    Object.entries(output.headers ?? {}).filter(([name]) => name.toLowerCase() !== 'content-type'),
  ) as Record<string, string>;
  const mediaType = output.headers?.['Content-type'] ?? output.headers?.['content-type'] ?? '';
  const { statusCode: status, body } = output;
  if (mediaType === '' || /json/.test(mediaType)) return { status, headers, body };
  const typed = { ...headers, 'Content-Type': mediaType };
  return { status, headers: typed, body: undefined, stream: [String(body)] };
}

interface PrismError extends Error {
  readonly status?: number;
  readonly additional?: { readonly validation?: readonly { readonly message: string }[] };
}

/** The body as JSON, or as text if it is not JSON, because Prism validates values. */
function valueOfBody(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  return parseJson(text) ?? text;
}

/**
 * The operations of a description, each with the path of its server; parsed without Prism, so that
 * unknown paths stay cheap. Throws a Refused that says which file cannot be read, and why.
 */
async function describedPaths(file: string): Promise<Routes<DescribedPath>> {
  const { parse } = await import('yaml');
  const text = readText(file);
  let document: unknown;
  try {
    document = parse(text);
  } catch (error) {
    throw new Refused(`${file}: ${(error as Error).message.split('\n')[0]}`);
  }
  const { paths, servers } = isObject(document) ? document : {};
  if (!isObject(paths)) {
    throw new Refused(`${file}: an OpenAPI document with paths was expected`);
  }
  const given = Array.isArray(servers) && servers.length > 0 ? servers : [{ url: '' }];
  const bases = [...new Set(given.map(({ url }) => basePath(url)))];
  const routes = new Routes<DescribedPath>();
  for (const [path, item] of Object.entries(paths)) {
    const deployment = /\/deployments\/\{([^{}]+)\}/.exec(path)?.[1];
    for (const [method, told] of Object.entries(item as object)) {
      const admin = isForAdmins(told);
      for (const base of bases)
        routes.add(method.toUpperCase(), base + path, { base, deployment, admin });
    }
  }
  return routes;
}

interface DescribedPath {
  /** The path of its server. */
  readonly base: string;
  /** The parameter that names a deployment. */
  readonly deployment: string | undefined;
  readonly admin: boolean;
}

/**
 * OpenAPI has no keyword for administrators only, so the text of the operation or our own extension
 * decides.
 */
const adminWords =
  /\badmin(?:istrator)?s?[ -]only\b|\bonly (?:for |by )?admin|\b(?:requires?|needs?) (?:the |an )?admin/i;

function isForAdmins(told: unknown): boolean {
  if (!isObject(told)) return false;
  const { 'x-requires': requires, summary = '', description = '' } = told;
  if (isObject(requires)) return requires.role === 'admin';
  return adminWords.test(`${String(summary)}\n${String(description)}`);
}

function describedAt(paths: Routes<DescribedPath>, method: string, path: string) {
  const found = paths.find(method, path);
  if (found === undefined) return undefined;
  const { deployment: name = '', admin } = found.value;
  return { deployment: found.params[name], admin };
}

/** The path of a server's address, which may be relative or hold variables; without a slash at its end. */
function basePath(url = ''): string {
  return url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, '').replace(/\/$/, '');
}
