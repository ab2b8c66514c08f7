/** Renders the committed table that says how well the gate names failing tests. */

/**
 * A simulated night with one deviation: the tests that failed, and those that the gate would have
 * named.
 */
export interface Night {
  readonly id: string;
  /** The statements that the suite reports as broken. */
  readonly broken: readonly string[];
  readonly failed: readonly string[];
  /** The tests named by a reliance that has not tried this deviation. */
  readonly heldOut: readonly string[];
  /** The tests named by a reliance that has tried it, from the broken statements only. */
  readonly byPromise: readonly string[];
  /** The tests named by a reliance that has tried it, with the deviation from the diagnosis. */
  readonly byLooks: readonly string[];
}

type Way = 'heldOut' | 'byPromise' | 'byLooks';

const ways: Readonly<Record<Way, string>> = {
  heldOut: 'the deviation was never tried',
  byPromise: 'it was tried; the statement alone is known',
  byLooks: 'it was tried, and the diagnosis names it',
};

interface Client {
  readonly name: string;
  readonly nights: readonly Night[];
  /** Whether the failed tests come from the same runs as the reliance. */
  readonly isSame: boolean;
}

export function reachMd(clients: readonly Client[]): string {
  const rows = clients.flatMap(({ name, nights }) => {
    const one = nights.filter(({ broken }) => broken.length === 1);
    const more = nights.filter(({ broken }) => broken.length > 1);
    return Object.entries(ways).flatMap(([way, text]) => [
      row(name, 'one', text, one, way as Way),
      row(name, 'several', text, more, way as Way),
    ]);
  });
  const wrong = clients.flatMap(({ name, nights }) =>
    nights.filter((night) => !isRight(night, 'byLooks')).map(({ id }) => `- ${name}: \`${id}\``),
  );
  return `${[
    '# Whose tests a breach reaches',
    '',
    'Each deviation that the tests of a client met was tonight’s once. Precision: of the tests that the gate names, the share that really failed. Recall: of the tests that really failed, the share that it names. The failures were seen in other runs than those that the reliance was learned from, unless that is said. Written by `lockstep exam --reach FILES` from the reports of `lockstep client --mutants`; do not edit.',
    '',
    '| client | statements broken | the reliance | nights | tests that failed | precision | recall | nights named to the test |',
    '|---|---|---|--:|--:|--:|--:|--:|',
    ...rows,
    '',
    ...clients
      .filter(({ isSame }) => isSame)
      .map(({ name }) => `${name}: the last way is compared with the runs it was learned from.`),
    '## Named wrongly, though it was tried and diagnosed',
    '',
    ...(wrong.length === 0 ? ['None.'] : wrong),
  ].join('\n')}\n`;
}

function row(
  name: string,
  broken: string,
  text: string,
  nights: readonly Night[],
  way: Way,
): string {
  const sum = (of: (night: Night) => number) => nights.reduce((all, one) => all + of(one), 0);
  const both = sum(
    ({ failed, [way]: named }) => named.filter((one) => failed.includes(one)).length,
  );
  const failed = sum((night) => night.failed.length);
  const right = nights.filter((night) => isRight(night, way)).length;
  const cells = [
    ...[name, broken, text, nights.length, failed],
    ...[
      percent(
        both,
        sum((night) => night[way].length),
      ),
      percent(both, failed),
    ],
    percent(right, nights.length),
  ];
  return `| ${cells.join(' | ')} |`;
}

const isRight = (night: Night, way: Way): boolean =>
  night.failed.length === night[way].length &&
  night.failed.every((test) => night[way].includes(test));

const percent = (part: number, of: number): string =>
  of === 0 ? '–' : `${((100 * part) / of).toFixed(1)} %`;
