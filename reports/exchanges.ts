/** The exchanges of a run, read from its evidence. */

import { type EvidenceEntry, entriesOf } from '../conformance/target/evidence.ts';
import { decoded } from '../spec/base/visible.ts';
import type { EvidenceText } from './write.ts';

export type Exchanges = ReturnType<typeof readExchanges>;

/** A target may send any amount. Exchanges beyond this limit are in the evidence files only. */
const mostBytes = 32 * 2 ** 20;

export function readExchanges(evidence: readonly EvidenceText[]) {
  const found = new Map<string, EvidenceEntry>();
  let left = mostBytes;
  for (const { file, text, bytes = 0 } of evidence) {
    left -= bytes;
    if (left < 0) break;
    for (const [index, entry] of entriesOf(text).entries()) found.set(`${file}#${index}`, entry);
  }
  const scenarios = Map.groupBy(found.values(), ({ _lockstep: { scenario } }) => scenario);
  const entriesIn = (scenario: string): readonly EvidenceEntry[] => scenarios.get(scenario) ?? [];
  return {
    /** The calls of all scenarios. */
    all: [...found.values()].filter(isCall) as readonly EvidenceEntry[],
    /** By the reference of a report: `evidence/staging.har#3`. */
    at: (reference = ''): EvidenceEntry | undefined => found.get(reference),
    /** The calls of a scenario, in their order. */
    of: (scenario: string): readonly EvidenceEntry[] => entriesIn(scenario).filter(isCall),
    /** The writes before an exchange, in their order, in the same attempt of its scenario. */
    writesBefore: (exchange: EvidenceEntry): readonly EvidenceEntry[] =>
      writesBefore(exchange, entriesIn(exchange._lockstep.scenario)),
  };
}

const isCall = ({ _lockstep: { kind } }: EvidenceEntry): boolean => kind === 'call';

function writesBefore(exchange: EvidenceEntry, entries: readonly EvidenceEntry[]): EvidenceEntry[] {
  const writes: EvidenceEntry[] = [];
  const leftSteps = new Set<string>();
  let { step } = exchange._lockstep;
  const earlier = entries.slice(0, Math.max(0, entries.indexOf(exchange)));
  for (const entry of earlier.reverse()) {
    const about = entry._lockstep;
    // An attempt ends with the put-backs. If it had none, the next attempt repeats its steps.
    if (about.kind === 'restore') break;
    if (!isCall(entry)) continue;
    if (about.step !== step) leftSteps.add(step);
    step = about.step;
    if (leftSteps.has(step)) break;
    if (!onlyReads(entry) && about.again === undefined) writes.unshift(entry);
  }
  return writes;
}

/** An empty update reads an object that no other call shows. */
export const onlyReads = ({ request: { method, postData } }: EvidenceEntry): boolean =>
  method === 'GET' || method === 'HEAD' || isEmptyUpdate(method, postData?.text);

const isEmptyUpdate = (method: string, body: string | undefined): boolean =>
  method === 'PUT' && body === '{}';

/** For a report without its evidence. */
export const noExchanges: Exchanges = readExchanges([]);

/** `GET …/environments?type=staging`: an id at the end of a path needs the segment before it. */
export function callWords({ request: { method, url, postData } }: EvidenceEntry): string {
  const { pathname, search } = new URL(url);
  const parts = pathname.split('/').filter((part) => part !== '');
  const kept = /\d/.test(parts.at(-1) ?? '') ? 2 : 1;
  const asked = isEmptyUpdate(method, postData?.text) ? ' with {}' : '';
  return `${method} …/${decoded(parts.slice(-kept).join('/') + search)}${asked}`;
}

/** The caller: the name of the credential, which evidence holds in place of the secret. */
export function callerWords({ request: { headers } }: EvidenceEntry): string {
  const header = headers.find(({ name }) => name.toLowerCase() === 'authorization');
  return callerIn(header?.value);
}

/** Of the header `Authorization`. */
export function callerIn(header = 'nobody'): string {
  return /\{(\w+)\}/.exec(header)?.[1] ?? header;
}
