/** The contract as a page to read: operations, and what is promised and assumed about each. */
import { contract, type Operation } from '../../spec/contract.ts';
import { escapeHtml, page } from './page.ts';

export function docsPage(): string {
  const operations = [...contract.operations.values()];
  const statements = [...contract.statements.values()];
  const rows = operations
    .map((operation) => {
      const { promised, assumed } = countsOf(operation);
      return `<tr><td><a href="#${operation.id}">${operation.id}</a><td><code>${operation.method} ${escapeHtml(operation.path)}</code><td>${escapeHtml(operation.summary)}<td>${promised}<td>${assumed}`;
    })
    .join('\n');
  const sections = operations
    .map((operation) => {
      const own = statements.filter((statement) => statement.operations.includes(operation.id));
      const list = own
        .map((statement) => {
          const choice =
            statement.assumption === undefined
              ? ''
              : ` <em>Assumed: ${escapeHtml(statement.assumption.text)}.</em>`;
          return `<li><b>${statement.id}</b> <span class="${statement.level}">${statement.level}</span> ${escapeHtml(statement.text)}${choice}`;
        })
        .join('\n');
      return `<h2 id="${operation.id}">${operation.id}</h2><p><code>${operation.method} ${escapeHtml(operation.path)}</code> ${escapeHtml(operation.summary)}.</p><ul>${list}</ul>`;
    })
    .join('\n');
  return page(
    'Lockstep: the contract',
    `<h1>The contract</h1>
<p>Version ${contract.version}. Promises are statements of level <span class="documented">documented</span> or
<span class="standard">standard</span>; what the description leaves open is <span class="silent">silent</span>, and the mock
answers as assumed.</p>
<table><thead><tr><th>Operation<th>Path<th>What it does<th>Promised<th>Assumed</thead><tbody>${rows}</tbody></table>
${sections}`,
  );
}

/** How many statements of an operation are promises, and how many silences. */
export function countsOf(operation: Operation): {
  readonly promised: number;
  readonly assumed: number;
} {
  const own = [...contract.statements.values()].filter((statement) =>
    statement.operations.includes(operation.id),
  );
  const assumed = own.filter((statement) => statement.level === 'silent').length;
  return { promised: own.length - assumed, assumed };
}
