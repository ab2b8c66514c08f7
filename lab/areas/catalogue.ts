/** The catalogue of all deviations. It is loaded only if one is requested. */

import type { Deviation as MockDeviation } from '../../mock/pipeline/deviate.ts';
import { type DeviationRecord, UnknownDeviation } from '../../mock/world/deviations.ts';
import { hint } from '../../spec/base/similar.ts';
import { contract } from '../../spec/contract.ts';
import seenToBreak from '../deviations/also-breaks.generated.json' with { type: 'json' };
import { fromRequires } from '../deviations/from-requires.ts';
import { acceptedBeside, fromResponses } from '../deviations/from-responses.ts';
import { fromSchemas } from '../deviations/from-schemas.ts';
import { fromWrites } from '../deviations/from-writes.ts';
import { onMock } from '../deviations/on-mock.ts';
import { conditions } from '../deviations/only-if/conditions.ts';
import { canBeOnlyIf, onlyIf } from '../deviations/only-if/only-if.ts';
import type { Deviation } from '../deviations/rows.ts';
import { audit } from './audit/deviations.ts';
import { credentials } from './credentials/deviations.ts';
import { folders } from './folders/deviations.ts';
import { histories } from './histories.ts';
import { listDeviations } from './lists/deviations.ts';
import { recipients } from './recipients/deviations.ts';
import { scim } from './scim/deviations.ts';
import { staging } from './staging/deviations.ts';
import { tokens } from './tokens/deviations.ts';
import { versions } from './versions/deviations.ts';

/** The hand-written deviations of each area. A new area adds a line here. */
export const byArea: Readonly<Record<string, readonly Deviation[]>> = {
  credentials,
  lists: listDeviations,
  staging,
  versions,
  tokens,
  folders,
  recipients,
  audit,
  scim,
};

const made: readonly Deviation[] = [
  ...fromSchemas,
  ...fromResponses,
  ...fromRequires,
  ...fromWrites,
  ...Object.values(byArea).flat(),
  ...histories,
];

/** Each deviation, with the further statements that the exam has seen it break. */
const further: Readonly<Record<string, readonly string[]>> = seenToBreak;
export const catalogue: readonly Deviation[] = [...made, ...acceptedBeside(made)].map(
  (deviation) => {
    const { [deviation.id]: alsoBreaks } = further;
    return alsoBreaks === undefined ? deviation : { ...deviation, alsoBreaks };
  },
);

const byId = new Map<string, Deviation>();
for (const deviation of catalogue) {
  if (byId.has(deviation.id)) throw new Error(`two deviations are called ${deviation.id}`);
  byId.set(deviation.id, deviation);
}

/**
 * The deviations of the given ids, for the mock; `ID:every=3` takes effect in every third request to
 * its operations only, `ID@CONDITION` only if that holds. Throws UnknownDeviation.
 */
export function deviationsOf(ids: readonly string[]): MockDeviation[] {
  return ids.map((text) => {
    const [, whole = text, every] = /^(.*):every=([1-9]\d*)$/.exec(text) ?? [];
    const [id = whole, ...names] = whole.split('@');
    const found = byId.get(id);
    if (found === undefined) {
      const near = hint(id, byId.keys());
      throw new UnknownDeviation(
        `there is no deviation ${JSON.stringify(id)}${near}; GET /__admin/worlds/{w}/deviations lists all`,
      );
    }
    const deviation = names.reduce(onlyIfNamed, found);
    return onMock(every === undefined ? deviation : { ...deviation, every: Number(every) });
  });
}

function onlyIfNamed(deviation: Deviation, name: string): Deviation {
  const own = conditions.filter((condition) => canBeOnlyIf(deviation, condition));
  const found = own.find((condition) => condition.name === name);
  if (found !== undefined) return onlyIf(deviation, found);
  const names = own.map((condition) => condition.name);
  throw new UnknownDeviation(
    `${deviation.id} has no condition ${JSON.stringify(name)}${hint(name, names)}; it can be broken only if ${names.join(', ')}`,
  );
}

/** A deviation, with the texts of the statements that it breaks. */
export function describeDeviation({ id, text, breaks, alsoBreaks, operations }: DeviationRecord) {
  return {
    id,
    text,
    breaks: breaks.map((statement) => ({
      id: statement,
      text: contract.statements.get(statement)?.text ?? '',
    })),
    ...(alsoBreaks === undefined ? {} : { alsoBreaks }),
    operations,
  };
}
