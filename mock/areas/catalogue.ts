/** Every deviation that the mock can be told to make. Loaded when one is asked for. */
import { contract } from '../../spec/contract.ts';
import collateral from '../deviations/collateral.generated.json' with { type: 'json' };
import type { Deviation } from '../deviations/deviation.ts';
import { acceptedBeside, fromResponses } from '../deviations/from-responses.ts';
import { fromSchemas } from '../deviations/from-schemas.ts';
import { UnknownDeviation } from '../world/deviations.ts';
import { audit } from './audit/deviations.ts';
import { auditHistories } from './audit/histories.ts';
import { credentials } from './credentials/deviations.ts';
import { fromRequires } from './credentials/from-requires.ts';
import { credentialHistories } from './credentials/histories.ts';
import { dbt } from './dbt/deviations.ts';
import { dbtHistories } from './dbt/histories.ts';
import { folders } from './folders/deviations.ts';
import { folderHistories } from './folders/histories.ts';
import { lists } from './lists/deviations.ts';
import { listHistories } from './lists/histories.ts';
import { recipients } from './recipients/deviations.ts';
import { recipientHistories } from './recipients/histories.ts';
import { scim } from './scim/deviations.ts';
import { scimHistories } from './scim/histories.ts';
import { staging } from './staging/deviations.ts';
import { stagingHistories } from './staging/histories.ts';
import { refusedCredentials } from './staging/refused-credentials.ts';
import { tokens } from './tokens/deviations.ts';
import { tokenHistories } from './tokens/histories.ts';
import { versions } from './versions/deviations.ts';
import { versionHistories } from './versions/histories.ts';
import { versionsLists } from './versions/list-deviations.ts';

/** What is known of an area alone. A new area adds a line here. */
export const byArea = {
  credentials: [...credentials, ...refusedCredentials, ...credentialHistories],
  lists: [...lists, ...listHistories],
  staging: [...staging, ...stagingHistories],
  versions: [...versionsLists, ...versions, ...versionHistories],
  tokens: [...tokens, ...tokenHistories],
  folders: [...folders, ...folderHistories],
  recipients: [...recipients, ...recipientHistories],
  audit: [...audit, ...auditHistories],
  dbt: [...dbt, ...dbtHistories],
  scim: [...scim, ...scimHistories],
} satisfies Readonly<Record<string, readonly Deviation[]>>;

const made: readonly Deviation[] = [
  ...fromSchemas,
  ...fromResponses,
  ...fromRequires,
  ...Object.values(byArea).flat(),
];

/** Each with the further statements that it breaks, as the exam has found them. */
const beside: Readonly<Record<string, readonly string[]>> = collateral;
export const catalogue: readonly Deviation[] = [...made, ...acceptedBeside(made)].map(
  (deviation) => {
    const { [deviation.id]: further } = beside;
    return further === undefined ? deviation : { ...deviation, collateral: further };
  },
);

const byId = new Map<string, Deviation>();
for (const deviation of catalogue) {
  if (byId.has(deviation.id)) throw new Error(`two deviations are called ${deviation.id}`);
  byId.set(deviation.id, deviation);
}

/**
 * The deviations of the given ids; `ID:every=3` takes effect in every third request to its
 * operations only. Throws UnknownDeviation.
 */
export function deviationsOf(ids: readonly string[]): Deviation[] {
  return ids.map((text) => {
    const [, id = text, every] = /^(.*):every=([1-9]\d*)$/.exec(text) ?? [];
    const found = byId.get(id);
    if (found !== undefined)
      return every === undefined ? found : { ...found, every: Number(every) };
    const words = id.split(/[:-]/).filter((word) => word.length > 2);
    const near = catalogue
      .filter((item) => words.some((word) => item.id.includes(word)))
      .slice(0, 5)
      .map((item) => item.id);
    const hint = near.length > 0 ? `; near it: ${near.join(', ')}` : '';
    throw new UnknownDeviation(`there is no deviation ${JSON.stringify(id)}${hint}`);
  });
}

/** What a deviation breaks, with the words of its statements. */
export function describeDeviation({ id, text, breaks, collateral, operations }: Deviation) {
  return {
    id,
    text,
    breaks: breaks.map((statement) => ({
      id: statement,
      text: contract.statements.get(statement)?.text ?? '',
    })),
    ...(collateral === undefined ? {} : { collateral }),
    operations,
  };
}
