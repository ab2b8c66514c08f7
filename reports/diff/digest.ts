/**
 * What a comparison found, as people read it: one headline, then lists. The three comparisons make a
 * digest, and each form renders any of them.
 */

import { type HtmlValue, html, when } from '../../spec/base/html.ts';
import { visible } from '../../spec/base/visible.ts';
import { code, text as plain } from '../markdown.ts';
import { page } from '../page.ts';
import { atMost, cut, present, ranges } from '../text.ts';

export interface Digest {
  readonly title: string;
  readonly headline: string;
  /** `worse` makes the command fail. */
  readonly tone: 'same' | 'changed' | 'worse';
  /** What was compared: a name and what it stands for. */
  readonly about: Readonly<Record<string, string>>;
  /** What a reader must know before anything else. */
  readonly warnings: readonly string[];
  readonly sections: readonly DigestSection[];
}

export interface DigestSection {
  readonly heading: string;
  /** The number of its lines says nothing. */
  readonly uncounted?: true;
  /** How the list was made, where that is not plain. */
  readonly note?: string | undefined;
  readonly lines: readonly DigestLine[];
}

export interface DigestLine {
  /** What it is about: a statement, an operation, a place. */
  readonly name: string;
  readonly text: string;
  readonly details?: readonly string[] | undefined;
}

/** Statements as one line; none where there are none. */
export function idsLine(name: string, ids: readonly string[]): DigestLine[] {
  return ids.length > 0 ? [{ name, text: ranges(ids) }] : [];
}

/**
 * The findings of a comparison: a section for each kind with its note, and a headline that counts
 * them. `failing`: kinds that make the command fail.
 */
export function findingsByKind<K extends string, F extends { readonly kind: K }>(
  findings: readonly F[],
  notes: Readonly<Record<K, string>>,
  failing: readonly NoInfer<K>[],
  lineOf: (finding: F) => DigestLine,
): Pick<Digest, 'headline' | 'tone' | 'sections'> {
  const sections = Object.entries<string>(notes).map(([kind, note]) => ({
    ...{ kind, note, heading: kind.slice(0, 1).toUpperCase() + kind.slice(1) },
    lines: findings.filter((finding) => finding.kind === kind).map(lineOf),
  }));
  const counts = sections
    .filter(({ lines }) => lines.length > 0)
    .map(({ kind, lines }) => `${lines.length} ${kind}`);
  const worse = findings.some(({ kind }) => failing.includes(kind));
  const tone = worse ? 'worse' : findings.length > 0 ? 'changed' : 'same';
  return { headline: counts.join(', ') || 'no difference', tone, sections };
}

/** GitHub refuses a summary above 1 MiB, and nobody reads so much. */
const LONGEST_LIST = 300;
const LONGEST_TEXT = 500;

/** For a terminal; with few lines of each list it fits on a screen. */
export function digestText(digest: Digest, longest = LONGEST_LIST): string {
  const { headline, warnings } = digest;
  const about = Object.entries(digest.about);
  const width = Math.max(...about.map(([name]) => name.length));
  const written = ({ name, text, details = [] }: DigestLine): string[] => {
    return [`  ${name}  ${text}`, ...details.map((detail) => `      ${detail}`)];
  };
  const lines = [
    headline,
    ...about.map(([name, what]) => `${name.padEnd(width)}  ${what}`),
    ...warnings.map((warning) => `WARNING  ${warning}`),
    ...sectionsOf(digest).flatMap(({ heading, note, lines: all }) => [
      ...['', heading, ...present(note && `  (${note})`)],
      ...atMost(longest, all.map(written), (left) => [`  and ${left} more`]).flat(),
    ]),
  ];
  return `${lines.map((line) => cut(visible(line), LONGEST_TEXT)).join('\n')}\n`;
}

/** For a job summary or a pull request. */
export function digestMd(digest: Digest): string {
  const { title, headline, warnings } = digest;
  const short = (value: string): string => plain(cut(value, LONGEST_TEXT));
  const about = Object.entries(digest.about).map(
    ([name, what]) => `- ${short(name)}: ${short(what)}`,
  );
  const written = ({ name, text, details = [] }: DigestLine): string[] => {
    return [`- ${code(name)} ${short(text)}`, ...details.map((detail) => `  - ${short(detail)}`)];
  };
  const blocks = [
    `## ${marks[digest.tone]} ${short(title)}: ${short(headline)}`,
    about.join('\n'),
    ...warnings.map((warning) => `> **Warning:** ${short(warning)}`),
    ...sectionsOf(digest).flatMap(({ heading, note, lines }) => [
      ...present(`### ${short(heading)}`, note && short(note)),
      atMost(LONGEST_LIST, lines.map(written), (left) => [`- and ${left} more`])
        .flat()
        .join('\n'),
    ]),
  ];
  return `${blocks.join('\n\n')}\n`;
}

const marks: Readonly<Record<Digest['tone'], string>> = { same: '✅', changed: 'ℹ️', worse: '❌' };

const style = `
:root { color-scheme: light dark; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.1rem; font-weight: 400; margin: 0; }
.headline { font-size: 1.6rem; line-height: 1.3; border-left: .4rem solid; padding-left: .8rem; }
.same { border-color: #2a7d3f; } .changed { border-color: #2a6cb0; } .worse { border-color: #c0392b; }
.warning { border: 1px solid #b8860b; border-radius: 6px; padding: .5rem .8rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem .9rem; }
dd { margin: 0; } dd, li { overflow-wrap: anywhere; } li ul { font-size: .88rem; }
h2 { font-size: 1.15rem; margin-top: 2rem; border-top: 1px solid #8884; padding-top: 1rem; }
`;

/** As one HTML file. */
export function digestHtml(digest: Digest): string {
  const { title, headline, tone, about, warnings } = digest;
  const list = (items: readonly HtmlValue[]) => html`<ul>${items}</ul>`;
  const written = ({ name, text, details = [] }: DigestLine) => html`
<li><b>${name}</b> ${text}${when(details.length > 0, () => list(details.map((detail) => html`<li>${detail}</li>`)))}</li>`;
  const sections = sectionsOf(digest).map(
    ({ heading, note, lines }) => html`
<section>
<h2>${heading}</h2>
${note && html`<p>${note}</p>`}
${list(atMost(LONGEST_LIST, lines.map(written), (left) => html`<li>and ${left} more</li>`))}
</section>`,
  );
  const body = html`<main>
<h1>${title}</h1>
<p class="headline ${tone}">${headline}</p>
<dl>${Object.entries(about).map(([name, what]) => html`<dt>${name}</dt><dd>${what}</dd>`)}</dl>
${warnings.map((warning) => html`<p class="warning"><strong>Warning:</strong> ${warning}</p>`)}
${sections}
</main>`;
  return page(`${headline} – Lockstep`, style, body);
}

/** The sections that say something. */
function sectionsOf({ sections }: Digest): DigestSection[] {
  return sections
    .filter(({ lines }) => lines.length > 0)
    .map(({ heading, uncounted, ...rest }) => ({
      ...rest,
      heading: uncounted ? heading : `${heading} (${rest.lines.length})`,
    }));
}
