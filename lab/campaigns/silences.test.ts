import { describe, expect, it } from 'vitest';
import { choicesRead } from '../../mock/testing/choices-read.ts';
import { corpus } from '../../mock/testing/corpus.ts';
import type { CorpusEntry } from '../../mock/testing/corpus-entry.ts';
import { type Replayed, replay } from '../../mock/testing/replay.ts';
import { isGraded, silences } from '../../mock/world/assumptions.ts';

const alternatives = silences.flatMap((silence) =>
  (silence.alternatives ?? [])
    .filter((choice) => choice.inert === undefined)
    .map((choice) => ({ statement: silence.id, choice: choice.id })),
);
const defaults = new Map<string, Replayed>();
for (const entry of corpus) defaults.set(entry.name, await replay(entry));
const mayChange = await choicesRead(corpus);

/** The promised part of each answer under one choice, for entries without earlier requests. */
const promisedUnder = new Map<string, string>();
const under = (entry: CorpusEntry, statement: string, choice: string) =>
  `${entry.name}: ${statement}: ${choice}`;

describe('each alternative of a silence changes an answer', () => {
  it.for(alternatives)('$statement: $choice', async ({ statement, choice }) => {
    const changed: string[] = [];
    for (const entry of corpus.filter((one) => mayChange(one, statement))) {
      const before = defaults.get(entry.name);
      const after = await replay(entry, { [statement]: choice });
      expect(after.contractFailures, entry.name).toEqual([]);
      if (entry.before === undefined)
        promisedUnder.set(under(entry, statement, choice), promised(after));
      if (before === undefined || !same(before, after)) changed.push(entry.name);
    }
    expect(changed, `no request of the corpus shows ${statement}: ${choice}`).not.toEqual([]);
  });
});

describe('Lockstep-Basis names exactly the silences that would change the answer', () => {
  it.for(corpus)('$name', async (entry) => {
    const before = defaults.get(entry.name);
    if (before === undefined) throw new Error('every entry has a default answer');
    const deciding = new Set<string>();
    for (const { statement, choice } of alternatives) {
      if (!isGraded(statement) || deciding.has(statement)) continue;
      if (!mayChange(entry, statement)) continue;
      const after =
        promisedUnder.get(under(entry, statement, choice)) ??
        promised(await replay(entry, {}, { [statement]: choice }));
      if (promised(before) !== after) deciding.add(statement);
    }
    expect([...before.assumed].sort()).toEqual([...deciding].sort());
  });
});

describe('the mock keeps its own contract', () => {
  it.for(corpus)('$name', async (entry) => {
    expect((await replay(entry)).contractFailures).toEqual([]);
  });
});

function same(a: Replayed, b: Replayed): boolean {
  const { 'Lockstep-Basis': _a, ...headersA } = a.headers;
  const { 'Lockstep-Basis': _b, ...headersB } = b.headers;
  return (
    a.status === b.status &&
    a.text === b.text &&
    JSON.stringify(headersA) === JSON.stringify(headersB)
  );
}

/** The status and the promised content, without the wording of errors. */
function promised({ status, text }: Replayed): string {
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // If it is not JSON, the text is the content.
  }
  if (status >= 400 && body !== null && typeof body === 'object') {
    // Of an error only the names of its fields count, because its texts are wording.
    return `${status} ${Object.keys(body).sort().join(' ')}`;
  }
  return `${status} ${JSON.stringify(body)}`;
}
