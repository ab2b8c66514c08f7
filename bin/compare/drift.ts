/** Reads the service's own description and compares it with the contract. */
import { parse } from 'yaml';
import { compareContracts, type Drift } from '../../conformance/compare/contracts.ts';
import { loadOwnSuite } from '../../conformance/language/own-suite.ts';
import { isLoopback } from '../../conformance/target/target.ts';
import { diffContracts } from '../../reports/diff/contracts.ts';
import { deeperThan, isObject, type JsonObject } from '../../spec/base/json.ts';
import { Refused, readText } from '../../spec/base/refused.ts';
import { contract, contractFile, type OperationId } from '../../spec/contract.ts';
import { OpenapiDocument } from '../../spec/openapi-document.ts';
import { tell } from './diff.ts';

const LARGEST = 32 * 1024 * 1024;
const DEADLINE_MS = 30_000;
const DEEPEST = 500;

/** Resolves to the exit code: 1 if a part contradicts the contract or is missing. */
export async function runDrift(source: string, out: readonly string[]): Promise<number> {
  return compareDescription(source, await descriptionText(source), out);
}

/** Returns the exit code. */
export function compareDescription(source: string, text: string, out: readonly string[]): number {
  const theirs = parsed(text, source);
  const ours = new OpenapiDocument(readText(contractFile));
  const prefixes = Object.values(contract.surfaces).map(({ prefix }) => prefix);
  const drifts = compareContracts(ours, theirs, prefixes).map((drift) => {
    // A part without statements of its own belongs to those of the whole operation.
    const whole = contract.operations.get(drift.operation as OperationId)?.statements ?? [];
    return drift.statements.length > 0 ? drift : { ...drift, statements: whole };
  });
  return tell(diffContracts(source, drifts, scenariosOf), out);
}

/** The scenarios that call the operation and check a promise that the difference touches. */
function scenariosOf({ operation, statements }: Drift): string[] {
  const promises = statements.filter((id) => contract.statements.get(id)?.level !== 'silent');
  const files = loadOwnSuite().scenarios.flatMap((scenario) => {
    const calls = [...(scenario.operations ?? [])].some((id) => id === operation);
    const checks = promises.some((id) => scenario.statements.has(id));
    return calls && checks ? [scenario.location.file.replace(/^.*scenarios\//, '')] : [];
  });
  return [...new Set(files)];
}

function parsed(text: string, source: string): JsonObject {
  if (deeperThan(text, DEEPEST)) throw new Refused(`${source} nests deeper than ${DEEPEST} levels`);
  let value: unknown;
  try {
    value = /^\s*\{/.test(text) ? JSON.parse(text) : parse(text);
  } catch (error) {
    throw new Refused(`${source} is neither JSON nor YAML: ${(error as Error).message}`);
  }
  if (isObject(value) && isObject(value.paths) && /^3\.[01]\b/.test(String(value.openapi)))
    return value;
  throw new Refused(`${source} is not an OpenAPI document of version 3.0 or 3.1 with paths`);
}

async function descriptionText(source: string): Promise<string> {
  if (!/^https?:/i.test(source)) return readText(source);
  try {
    return await fetched(new URL(source));
  } catch (error) {
    if (error instanceof Refused) throw error;
    const { message, cause } = error as Error;
    throw new Refused(`${source}: ${message}${cause instanceof Error ? `: ${cause.message}` : ''}`);
  }
}

/** Over HTTPS, or from this machine; a redirect could lead anywhere and is not followed. */
async function fetched(url: URL): Promise<string> {
  if (url.protocol !== 'https:' && !isLoopback(url.href))
    throw new Refused(`${url}: only https is accepted`);
  if (url.username !== '' || url.password !== '')
    throw new Refused('a URL with a password is not accepted');
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const response = await fetch(url, { redirect: 'manual', signal });
  if (!response.ok)
    throw new Refused(`${url} answered ${response.status}; redirects are not followed`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > LARGEST) throw new Refused(`${url} is larger than ${LARGEST / 1024 / 1024} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
