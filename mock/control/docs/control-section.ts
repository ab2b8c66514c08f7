/** The control API: its calls by topic, the fields of a fault, and the types of event. */
import { type Html, html } from '../../../spec/base/html.ts';
import {
  asText,
  type CallNode,
  controlDocument,
  entriesOf,
  listOf,
  nodeOf,
} from './openapi-nodes.ts';
import { breakable, callParts, prose, table } from './reference.ts';
import { joined, schemaList } from './schema-list.ts';

/** The fields of each type of event, in addition to the fields of every event. */
export type EventFields = Readonly<Record<string, { readonly fields: readonly string[] }>>;

export function controlSection(events: EventFields): Html {
  const { root, calls } = controlDocument();
  const { description } = nodeOf(root.info);
  const parts = listOf(root.tags)
    .map(nodeOf)
    .map(({ name, description: about }) => {
      const own = calls.filter(({ node }) => listOf(node.tags).includes(name));
      return html`<h3>${asText(name)}</h3><p class="muted">${asText(about)}</p>${overview(asText(name), own)}${own.map(callSection)}`;
    });
  const schemas = nodeOf(nodeOf(root.components).schemas);
  return html`<h2 id="control-api">Control API</h2><p>${prose(description)} It is at
<a href="/__admin/openapi.json">/__admin/openapi.json</a> as a document.</p>
${faultTable(nodeOf(schemas.FaultRequest))}${eventTable(nodeOf(schemas.Event), events)}${parts}`;
}

function overview(name: string, calls: readonly CallNode[]): Html {
  const rows = calls.map(
    ({ method, path, node }) =>
      html`<tr><td><a href="#${slugOf(method, path)}"><code class="path">${method} ${breakable(path)}</code></a><td>${asText(node.summary)}`,
  );
  return table(name, ['Call', 'Does'], rows);
}

function callSection({ method, path, node }: CallNode): Html {
  const slug = slugOf(method, path);
  return html`<article aria-labelledby="${slug}"><h4 id="${slug}"><span class="method">${method}</span> <code class="path">${breakable(path)}</code></h4>
<p>${asText(node.summary)}. ${prose(node.description)}</p>${callParts(node)}</article>`;
}

/** The place of a call in the page. */
function slugOf(method: string, path: string): string {
  return `${method} ${path}`.toLowerCase().replaceAll(/[^a-z]+/g, '-');
}

function faultTable(fault: ReturnType<typeof nodeOf>): Html {
  const rows = entriesOf(fault.properties).map(([name, value]) => {
    const { description, ...schema } = nodeOf(value);
    return html`<tr><td><code>${name}</code><td>${schemaList(schema)}<td>${prose(description)}`;
  });
  return html`<h3 id="faults">Fields of a fault</h3>${table('Fields of a fault', ['Field', 'Value', 'Meaning'], rows)}`;
}

function eventTable(event: ReturnType<typeof nodeOf>, events: EventFields): Html {
  const meanings = nodeOf(event['x-events']);
  const { type: _type, newChannel: _channel, ...ofAll } = nodeOf(event.properties);
  const names = (fields: readonly string[]) =>
    joined(
      fields.map((name) => html`<code>${name}</code>`),
      ', ',
    );
  const rows = Object.entries(events).map(
    ([type, { fields }]) =>
      html`<tr><td><code>${type}</code><td>${names(fields)}<td>${asText(meanings[type])}`,
  );
  return html`<h3 id="events">Types of event</h3>${table('Types of event', ['Type', 'Fields', 'Meaning'], rows)}
<p>Every event may also have ${names([...Object.keys(ofAll), 'deployment'])}; without a deployment it is deployment 1.</p>`;
}
