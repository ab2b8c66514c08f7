/** Renders the committed table that says how well failed runs are diagnosed. */
import { quantile } from '../../spec/base/quantile.ts';

/** The ways in which a deviation is hidden. */
export const hidings = ['alike', 'otherwise', 'at times', 'two'] as const;
export type Hiding = (typeof hidings)[number];

const inWords: Readonly<Record<Hiding, string>> = {
  alike: 'in a mock as it is',
  otherwise: 'in a mock that fills each silence at random; one in four of them',
  'at times': 'in every third request only, `--tries 4`; one in eight of them',
  two: 'two at once, of which both must be named; one in four of them',
};

/** The diagnosis of a failed run, compared with the deviations that were hidden there. */
export interface Told {
  readonly hiding: Hiding;
  readonly hidden: readonly string[];
  /** The number of deviations that the diagnosis played. */
  readonly played: number;
  /** The best and the worst rank of a hidden deviation; 0 is the first. */
  readonly best: number;
  readonly worst: number;
  /** The number of deviations that share the first rank, because no check distinguishes them. */
  readonly alike: number;
  /** The first deviation of each cause. */
  readonly first: readonly string[];
}

/**
 * The share of runs in which the right deviation must be first, or among the first three, if it is
 * the only fault.
 */
const BAR = { first: 0.8, three: 0.95 };

export function diagnosisMd(all: readonly Told[]): { text: string; isGood: boolean } {
  const groups = Map.groupBy(all, ({ hiding }) => hiding);
  const shares = [...groups].map(([hiding, told]) => ({ hiding, told, ...sharesOf(told) }));
  const rows = shares.map(({ hiding, told, first, three, one }) => {
    const alike = told.map((item) => item.alike);
    const cells = [
      ...[inWords[hiding], told.length, percent(first), percent(three), percent(one)],
      ...[quantile(alike), quantile(alike, 0.95)],
      ...[quantile(told.map(({ played }) => played)), told.filter(isNone).length],
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const isGood = shares.every(
    ({ hiding, first, three }) =>
      hiding === 'two' || hiding === 'at times' || (first >= BAR.first && three >= BAR.three),
  );
  const wrong = all.filter(({ worst }) => worst > 0);
  const lines = [
    '# The diagnosis of a red run',
    '',
    'Each deviation that the suite kills is hidden in a mock, the suite runs, and the catalogue is ranked by the checks that agree. Written by `npm run exam -- --diagnose`; do not edit. Right is the deviation itself, or one that no check tells from it.',
    '',
    '| hidden | red runs | right one first | among three | one of them first | told alike, median | 95 % | played, median | nothing fits |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...rows,
    '',
    `The bar, for the first two rows: first in ${percent(BAR.first)}, among three in ${percent(BAR.three)}. First those scenarios run that call an affected operation and name a statement that the deviation breaks. If these show nothing, all scenarios run that call the operation.`,
    ...(wrong.length === 0 ? [] : ['', '## Not told first', '']),
    ...wrong.map(
      ({ hiding, hidden, first }) =>
        `- ${hiding}: ${names(hidden)}, told as ${first.length === 0 ? 'nothing' : names(first)}`,
    ),
  ];
  return { text: `${lines.join('\n')}\n`, isGood };
}

const isNone = ({ first }: Told): boolean => first.length === 0;

const names = (ids: readonly string[]): string => ids.map((id) => `\`${id}\``).join(' and ');

function sharesOf(told: readonly Told[]) {
  const share = (isSo: (one: Told) => boolean) => told.filter(isSo).length / told.length;
  return {
    first: share(({ worst }) => worst === 0),
    three: share(({ worst }) => worst < 3),
    one: share(({ best }) => best === 0),
  };
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
