/** `lockstep mcp`: a mock and the manuals for an agent, by the Model Context Protocol over stdio. */
import { globSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Control } from '../../spec/base/control-client.ts';
import type { JsonObject } from '../../spec/base/json.ts';
import { Refused } from '../../spec/base/refused.ts';
import { version } from '../../spec/base/version.ts';
import { callOf, type Tool, tools } from './mcp-tools.ts';

/** The root of the checkout or of the package, where compiled files are one folder deeper. */
const root = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../..' : '../../..', import.meta.url),
);
const index = 'llms.txt';

/** Serves until the client disconnects. Rejects with Refused if the SDK is not installed. */
export async function serveMcp(control: Control, baseUrl: string): Promise<void> {
  const { Server, StdioServerTransport, types } = await loadSdk();
  const server = new Server(
    { name: 'lockstep', version },
    {
      capabilities: { tools: {}, resources: {} },
      instructions: `A mock of a hosted analytics platform's management API answers at ${baseUrl}; it refuses as the service does, and says why. Send requests there with a credential of a world (\`world\`), read their answers (\`requests\`, \`explain\`), and look up the promises (\`statements\`). The manuals are resources; begin with llms.txt.`,
    },
  );
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({ tools: tools.map(describe) }));
  server.setRequestHandler(types.CallToolRequestSchema, async ({ params }) => {
    try {
      return said(await answer(control, params.name, params.arguments ?? {}));
    } catch (error) {
      return { ...said((error as Error).message), isError: true };
    }
  });
  const resources = manuals();
  server.setRequestHandler(types.ListResourcesRequestSchema, () => ({ resources }));
  server.setRequestHandler(types.ReadResourceRequestSchema, ({ params: { uri } }) => {
    const manual = resources.find((one) => one.uri === uri);
    if (manual === undefined)
      throw new Error(`there is no manual ${uri}; begin with ${uriOf(index)}`);
    const text = readFileSync(`${root}/${manual.name}`, 'utf8');
    return { contents: [{ uri, mimeType: manual.mimeType, text }] };
  });
  const gone = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once('end', resolve);
  });
  await server.connect(new StdioServerTransport());
  await gone;
}

async function answer(control: Control, name: string, given: JsonObject): Promise<unknown> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  const { method, path, body } = callOf(tool, given);
  const told = await control(method, path, body);
  return tool.pick === undefined ? told : tool.pick(told, given);
}

function describe({ name, about, method, parameters: properties, required }: Tool) {
  const inputSchema = {
    ...{ type: 'object' as const, properties, required, additionalProperties: false },
  };
  const isReading = method === 'GET';
  return { name, description: about, inputSchema, annotations: { readOnlyHint: isReading } };
}

function said(value: unknown) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 1);
  return { content: [{ type: 'text' as const, text }] };
}

const uriOf = (name: string): string => `lockstep:///${name}`;

/** The index, and every file that it links to, so that no link is dead. For a folder, each file in it. */
function manuals() {
  const links = readFileSync(`${root}/${index}`, 'utf8').matchAll(/\[([^\][]+)\]\(([^()]+)\)/g);
  const linked = [...links].flatMap(([, title = '', path = '']) => {
    const isFolder = statSync(`${root}/${path}`).isDirectory();
    const names = isFolder ? globSync(`${path}/**/*.*`, { cwd: root }).sort() : [path];
    return names.map((name) => ({ name, title }));
  });
  return [{ name: index, title: 'The index of the manuals' }, ...linked].map((one) => ({
    ...one,
    uri: uriOf(one.name),
    mimeType: /\.(md|txt)$/.test(one.name) ? 'text/markdown' : 'text/plain',
  }));
}

/** An optional peer: it brings some ninety packages. */
async function loadSdk() {
  try {
    const [{ Server }, { StdioServerTransport }, types] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/index.js'),
      import('@modelcontextprotocol/sdk/server/stdio.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ]);
    return { Server, StdioServerTransport, types };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Refused(
      'lockstep mcp needs the SDK of the Model Context Protocol, which is not installed. Install it with: npm install --save-dev @modelcontextprotocol/sdk',
    );
  }
}
