/** Renders the committed table of the explorer's findings. */

export interface Found {
  /** `mock <deviation>` or `tenant <deviation>`; `mock plain` and `tenant plain` are without one. */
  readonly id: string;
  /**
   * The statements by which `certify` notices the fault. If there are any, the fault is not
   * explored.
   */
  readonly refused: readonly string[];
  readonly seeds: number;
  /** The number of seeds that found something. */
  readonly found: number;
  readonly steps: number;
  /** The median number of calls until the fault was found. */
  readonly medianSteps: number | undefined;
  /** The statements that the findings break. */
  readonly statements: readonly string[];
}

export interface ExplorerMeasure {
  readonly faults: readonly Found[];
  /** Walks without a fault. */
  readonly plain: readonly Found[];
  readonly seeds: number;
  /** The first seed. */
  readonly from: number;
  /** The calls of each walk. */
  readonly steps: number;
}

/** Reasons why too few seeds may find a fault. */
const reasons: Readonly<Record<string, string>> = {
  'lists:filter-of-two-lists-before':
    'two types have to be asked for, with a list between them, and few walks ask for both',
  'staging:switch-lost-after-a-list-and-a-folder':
    'three operations have to meet in an order, and the next switch hides what was lost',
  'audit:search-of-two-before': 'three exports have to follow each other, each with another word',
};
const usualReason = 'few walks meet the history that it needs';

/** The figures of the explorer before walks were generated from the contract. */
const before =
  'Version 0.1.0 played scenarios of the suite as well, and had a model of each area: 95 % of its walks found their fault within 3,000 calls. Since then pages have ten items or more, not two, so that more of the calls are writes.';

const number = (value: number): string => value.toLocaleString('en');

const nameOf = (id: string): string => id.replace(/^\w+ /, '');

/** Whether `certify` notices a fault, or at least 95 % of the seeds find it. */
export const isNoticed = ({ refused, found, seeds }: Found): boolean =>
  refused.length > 0 || found >= seeds * 0.95;

export function explorerMd({ faults, plain, seeds, from, steps }: ExplorerMeasure): string {
  const explored = faults.filter(({ refused }) => refused.length === 0);
  const missed = explored.filter((fault) => !isNoticed(fault));
  const quiet = plain.map(({ id, steps, statements }) => {
    const what = statements.length === 0 ? 'nothing' : statements.join(', ');
    return `${number(steps)} calls over the ${id.split(' ')[0]} found ${what}`;
  });
  const lines = [
    '# Faults that only a history of calls shows',
    '',
    'Each call fits, and only some calls before it make it go wrong: in the mock, and in a tenant made apart from it. The deviations that the exam leaves to the explorer are among them. Written by `npm run explorer`; do not edit.',
    '',
    `\`certify\` refuses ${faults.length - explored.length} of ${faults.length}. Of the other ${explored.length}, the explorer finds ${explored.length - missed.length} with at least 95 % of ${seeds} seeds, from ${from} on, within ${number(steps)} calls. Below that: ${missed.length || 'none'}.`,
    '',
    ...missed.map(({ id, found, seeds }) => {
      const [target] = id.split(' ');
      const why = reasons[nameOf(id)] ?? usualReason;
      return `- \`${nameOf(id)}\` in the ${target}, ${found} of ${seeds}: ${why}.`;
    }),
    ...(missed.length === 0 ? [] : ['']),
    before,
    '',
    `If nothing is wrong, ${quiet.length === 0 ? 'nothing was walked' : quiet.join(', and ')}.`,
    '',
    '| fault | in | refused by `certify` | found by | calls until then, median |',
    '|---|---|---|---|---|',
    ...faults.map(explorerRow),
  ];
  return `${lines.join('\n')}\n`;
}

export function explorerRow({ id, refused, found, seeds, medianSteps }: Found): string {
  const [target] = id.split(' ');
  const walks = refused.length > 0 ? ' | ' : `${found} of ${seeds} | ${medianSteps ?? ''}`;
  return `| \`${nameOf(id)}\` | ${target} | ${refused.join(', ')} | ${walks} |`;
}
