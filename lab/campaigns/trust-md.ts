/** A figure of a night's campaigns. The figures are committed as a page. */
export interface Figure {
  readonly campaign: string;
  readonly name: string;
  readonly value: number | string;
}

export interface Trust {
  readonly figures: readonly Figure[];
  /** Campaigns that found something. */
  readonly failed: readonly string[];
  readonly notRun: readonly string[];
  readonly minutes: number;
  readonly machine: string;
}

/**
 * Renders the page. A figure that was reported several times appears once, with its highest value.
 */
export function trustMd({ figures, failed, notRun, minutes, machine }: Trust): string {
  const rows = Map.groupBy(figures, ({ campaign, name }) => `| ${campaign} | ${name} |`);
  return [
    '# Trust',
    '',
    'Trials of the mock and the runner. Written by `npm run nightly`; do not edit.',
    '',
    `${minutes} minutes on ${machine}.`,
    ...failed.map((name) => `\n**FAILED: ${name}**`),
    ...notRun.map((reason) => `\n**NOT RUN: ${reason}**`),
    '',
    '| campaign | figure | |',
    '|---|---|---|',
    ...[...rows].map(([row, all]) => `${row} ${all.map(({ value }) => value).reduce(higher)} |`),
    '',
  ].join('\n');
}

function higher(one: Figure['value'], other: Figure['value']): Figure['value'] {
  return other > one ? other : one;
}
