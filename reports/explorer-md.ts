/** What the explorer finds, as a table that is committed. */

export interface Found {
  /** Of the deviation; `plain` for the mock as it is. */
  readonly id: string;
  readonly seeds: number;
  /** How many of the seeds found something. */
  readonly found: number;
  /** Calls of all walks together. */
  readonly steps: number;
  /** Calls until it was found, the median of the seeds that did. */
  readonly medianSteps: number | undefined;
  /** What the findings contradict. */
  readonly statements: readonly string[];
}

export interface ExplorerMeasure {
  readonly answers: readonly Found[];
  readonly plain: Found | undefined;
  /** The first seed. */
  readonly from: number;
  /** Calls of each walk. */
  readonly steps: number;
}

const number = (value: number): string => value.toLocaleString('en');

export function explorerMd({ answers, plain, from, steps }: ExplorerMeasure): string {
  const seeds = answers[0]?.seeds ?? 0;
  const enough = answers.filter(({ found }) => found >= Math.ceil(seeds * 0.95));
  const always = answers.filter(({ found }) => found === seeds);
  const lines = [
    '# What the explorer finds',
    '',
    'Random walks against the mock while it makes one deviation. Written by `npm run explorer`; do not edit.',
    '',
    `${number(steps)} calls with each of ${seeds} seeds, from ${from} on: of ${answers.length} hand-written deviations ${enough.length} are found by at least 95 % of the seeds, ${always.length} by every seed.`,
    '',
    plain === undefined
      ? 'The mock without a deviation was not walked.'
      : `Without a deviation, ${number(plain.steps)} calls found ${plain.found === 0 ? 'nothing' : `a contradiction of ${plain.statements.join(', ')}`}.`,
    '',
    '## Deviation by deviation',
    '',
    '| deviation | found by | calls until then, median | contradicts |',
    '|---|---|---|---|',
    ...answers.map(
      ({ id, found, medianSteps, statements }) =>
        `| \`${id}\` | ${found} of ${seeds} | ${medianSteps ?? ''} | ${statements.join(', ')} |`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}
