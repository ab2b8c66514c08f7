/**
 * Writes the generated files of the contract. `--check` writes nothing and fails when one of them
 * is not what the contract gives.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import standaloneCode from 'ajv/dist/standalone/index.js';
import openapiTS, { astToString } from 'openapi-typescript';
import { contractAjv, readContract } from './compile.ts';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const banner = (comment: string) =>
  `${comment} Generated from openapi.yaml and statements.yaml by \`npm run generate\`. Do not edit.\n`;

const data = readContract(
  readFileSync(here('./openapi.yaml'), 'utf8'),
  readFileSync(here('./statements.yaml'), 'utf8'),
);
const ajv = contractAjv(data.schemas, true);
const names = Object.fromEntries(
  Object.keys(data.schemas).map((key) => [`validate_${key.replaceAll('.', '_')}`, key]),
);
const standalone = (
  standaloneCode as unknown as (ajv: unknown, refs: Record<string, string>) => string
)(ajv, names);
const ast = await openapiTS(new URL('./openapi.yaml', import.meta.url), { alphabetize: false });

const files: Record<string, string> = {
  'openapi.types.ts': banner('//') + astToString(ast),
  'contract.generated.ts': `${banner('//')}import type { ContractData } from './contract-data.ts';\n\nexport const data: ContractData = JSON.parse(${JSON.stringify(JSON.stringify(data))});\n\n/** Silent statements that decide a status. */\nexport type StatusStatement =${Object.keys(
    data.statuses,
  )
    .map((id) => `\n  | '${id}'`)
    .join(
      '',
    )};\n\n/** Statements that code asks for by name. */\nexport interface StatementNames {\n${Object.entries(
    data.names,
  )
    .map(([name, id]) => `  readonly ${name}: '${id}';\n`)
    .join('')}}\n`,
  'validators.generated.js': `${banner('//')}import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n${standalone.replace(/^"use strict";/, '')}\n`,
};

const stale = Object.entries(files).filter(([name, text]) => read(name) !== text);
if (process.argv.includes('--check')) {
  for (const [name] of stale)
    console.error(`spec/${name} is not what the contract gives: run npm run generate`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const [name, text] of stale) writeFileSync(here(`./${name}`), text);
  console.log(stale.length > 0 ? `wrote ${stale.map(([name]) => name).join(', ')}` : 'all fresh');
}

function read(name: string): string | undefined {
  try {
    return readFileSync(here(`./${name}`), 'utf8');
  } catch {
    return undefined;
  }
}
