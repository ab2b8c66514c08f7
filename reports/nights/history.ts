/** The history of each target over its nights: changes with their dates, latency, convergence. */

import { dayOf } from '../../conformance/gate/night.ts';
import type { Night } from '../../conformance/judge/gate.generated.ts';
import type { StatementVerdict } from '../../conformance/judge/report.ts';
import { isFailure } from '../../conformance/judge/verdict.ts';
import { type Html, html, when } from '../../spec/base/html.ts';
import { quantile } from '../../spec/base/quantile.ts';
import type { Comparison, Line, Section } from '../diff/comparison.ts';
import { page } from '../page.ts';
import { count, duration, words } from '../text.ts';

/** Limits of the lists, so that they fit on a screen. */
const [ROWS, NIGHTS, CHANGES, COLUMNS] = [12, 14, 40, 60];

/** One comparison for each target, in the order of their names. */
export function historyComparisons(all: readonly Night[]): Comparison[] {
  const byTarget = [...Map.groupBy(all, ({ night }) => night.target)];
  return byTarget.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, nights]) => history(nights));
}

const signs: Readonly<Record<string, string>> = {
  ...{ verified: '.', violated: 'X', deviates: 'd', unstable: 'u' },
  ...{ 'verified-in-part': 'p', 'not-testable': '?', observed: 'o' },
};
const legend = `one sign a night, the newest at the right, at most ${COLUMNS}: ${Object.entries(
  signs,
)
  .map(([verdict, sign]) => `${sign} ${words(verdict)}`)
  .join(', ')}`;

const worst = 'Most often broken';

/** The same on a page, for a phone as well. */
export function historyHtml(targets: readonly Comparison[]): string {
  return page('Lockstep over the nights', html`<main>${targets.map(targetHtml)}</main>`, style);
}

function targetHtml({ headline, about: { target = '', nights = '' }, sections }: Comparison): Html {
  return html`
<h1>${target}</h1>
<p>${sentence(headline)}</p>
<p class="soft">${nights}</p>
${sections.map(({ heading, note = '', lines }) =>
  when(
    lines.length > 0,
    () => html`
<h2>${heading}</h2>
<p class="soft">${note}</p>
<dl>${lines.map(({ name, text }) => html`<dt>${name}</dt><dd>${heading === worst ? text.split('').map(signHtml) : sentence(text)}</dd>`)}</dl>`,
  ),
)}`;
}

/** A letter and a colour, for readers who see no colours. */
function signHtml(sign: string): Html {
  const [verdict = 'none'] = Object.entries(signs).find(([, own]) => own === sign) ?? [];
  return html`<b class="s-${verdict}">${sign}</b>`;
}

const outcomes: Readonly<Record<string, string>> = {
  PASSED: 'passed',
  FAILED: 'failed',
  STALE: 'found the baseline stale',
  'COULD NOT RUN': 'could not run',
};

/**
 * The headline of a night, such as `GATE PASSED nothing new`, as a sentence. Any other text is
 * unchanged.
 */
function sentence(text: string): string {
  const [head = '', ...rest] = text.split('  ');
  if (!head.startsWith('GATE ')) return text;
  const outcome = outcomes[head.slice('GATE '.length)] ?? 'stopped';
  return `The gate ${outcome}: ${rest.join('  ')}.`;
}

/** A colour for each verdict. */
const colours: Readonly<Record<string, string>> = {
  ...{ verified: 'var(--good)', violated: 'var(--bad)', deviates: 'var(--warn)' },
  ...{ observed: 'var(--calm)', none: 'var(--soft)' },
  unstable: 'light-dark(#a0208c, #f2a0e4)',
  'verified-in-part': 'light-dark(#00677a, #6fd3e3)',
  'not-testable': 'light-dark(#5f5b00, #d6cf4c)',
};
const style = `
h1 { font-size: 1.4rem; } p { margin: .2rem 0; }
dl { grid-template-columns: minmax(6rem, max-content) 1fr; gap: .1rem .8rem; }
dt { color: inherit; font-weight: 600; white-space: pre-wrap; }
dd b { display: inline-block; min-width: 1ch; font-family: var(--mono); }
${Object.entries(colours)
  .map(([verdict, colour]) => `.s-${verdict} { color: ${colour}; }`)
  .join('\n')}
`;

function history(nights: readonly Night[]): Comparison {
  const heads = nights.map(({ night }) => night);
  const days = heads.map(({ startedAt }) => dayOf(startedAt));
  const lineOf = (night: number, text: string): Line => {
    return { name: minuteOf(heads[night]?.startedAt ?? ''), text };
  };
  const verdicts = seriesOf(nights, (night) =>
    Object.entries(night.verdicts).flatMap(([verdict, ids]) =>
      ids.map((id) => [id, verdict as StatementVerdict]),
    ),
  );
  const broken = [...verdicts].flatMap(([name, series]) => {
    const nightsOf = series.filter((one) => one !== undefined && isFailure(one)).length;
    return nightsOf > 0 ? [{ name, series, nights: nightsOf }] : [];
  });
  const changes = changesOf(nights, verdicts);
  const lines = heads.map((one, at) => lineOf(at, one.headline));
  const changeLines = changes.map(({ night, text }) => lineOf(night, text));
  const shown = changes.length > CHANGES ? ` (the last ${CHANGES} of ${changes.length})` : '';
  const section = (heading: string, lines: readonly Line[], note?: string): Section => {
    return { heading, uncounted: true, lines, note };
  };
  const times = (heading: string, all: Map<string, Series<readonly number[]>>): Section =>
    section(heading, [...all].map(timeLine), 'the last night, and the median of those before');
  const latency = seriesOf(nights, (night) => Object.entries(night.latency));
  const convergence = seriesOf(nights, (night) =>
    Object.entries(night.convergence).map(([name, took]) => [name, [took]]),
  );
  const { target = '', headline = '', exitCode = 0 } = heads.at(-1) ?? {};
  return {
    ...{ title: 'Lockstep over the nights', headline, warnings: [] },
    tone: exitCode === 0 ? 'same' : 'worse',
    about: { target, nights: `${count(nights.length, 'night')} since ${days[0]}` },
    sections: [
      section(worst, worstOf(broken), legend),
      section('The last nights', lastOf(NIGHTS, lines), newest),
      section(`Changes${shown}`, lastOf(CHANGES, changeLines), newest),
      times('Latency', latency),
      times('Until a change showed', convergence),
    ],
  };
}

const newest = 'the newest first; times are in UTC';

/** The last lines of a list, the newest first. */
const lastOf = (most: number, lines: readonly Line[]): Line[] => lines.slice(-most).toReversed();

/** The day and the minute of a time, because two nights may begin on one day. */
const minuteOf = (time: string): string => time.slice(0, 16).replace('T', ' ');

/** A value for each night; undefined if that night did not see it. */
type Series<V> = readonly (V | undefined)[];

/** The statements that were broken in the most nights. */
function worstOf(
  all: readonly {
    readonly name: string;
    readonly series: Series<string>;
    readonly nights: number;
  }[],
): Line[] {
  return all
    .toSorted((a, b) => b.nights - a.nights)
    .slice(0, ROWS)
    .map(({ name, series }) => {
      const text = series.slice(-COLUMNS).map((verdict) => signs[verdict ?? ''] ?? '-');
      return { name, text: text.join('') };
    });
}

/** STAGE-9 comes before STAGE-10. */
const order = new Intl.Collator('en', { numeric: true });

function seriesOf<V>(
  nights: readonly Night[],
  of: (night: Night) => readonly (readonly [name: string, value: V])[],
): Map<string, Series<V>> {
  const all = nights.map((night) => new Map(of(night)));
  const names = [...new Set(all.flatMap((values) => [...values.keys()]))].sort(order.compare);
  return new Map(names.map((name) => [name, all.map((values) => values.get(name))]));
}

/** A change is a value that differs from the last one seen; nights without a value are skipped. */
function changesOf(nights: readonly Night[], verdicts: ReadonlyMap<string, Series<string>>) {
  const silences = seriesOf(nights, (night) =>
    Object.entries(night.silences).map(([id, seen]) => [id, Object.keys(seen).sort().join(', ')]),
  );
  const about = seriesOf(nights, ({ night: { suite, allow } }) =>
    Object.entries({ suite, '--allow': allow }),
  );
  const changes = [...about, ...verdicts, ...silences].flatMap(([id, series]) => {
    let last: string | undefined;
    return series.flatMap((now, night) => {
      if (now === undefined || now === 'not-testable') return [];
      const [was, is] = [last ?? now, now];
      last = now;
      return was === is ? [] : [{ night, text: `${id}: ${words(was)} -> ${words(is)}` }];
    });
  });
  return changes.sort((a, b) => a.night - b.night);
}

/** Shows the first figure of each night. */
function timeLine([text, series]: readonly [string, Series<readonly number[]>]): Line {
  const seen = series.flatMap((figures) => figures?.slice(0, 1) ?? []);
  const [last, before] = [seen.at(-1) ?? Number.NaN, quantile(seen.slice(0, -1))].map((value) =>
    (Number.isNaN(value) ? '–' : duration(value)).padStart(10),
  );
  return { name: `${last} ${before}`, text };
}
