/**
 * What a comparison found, as people read it: one headline, then lists. The three comparisons make a
 * digest, and each form renders any of them.
 */

import { visible } from '../../spec/base/visible.ts';
import { code, text as plain } from '../markdown.ts';
import { cut } from '../text.ts';

export interface Digest {
  readonly title: string;
  readonly headline: string;
  /** `worse` makes the command fail. */
  readonly tone: 'same' | 'changed' | 'worse';
  /** What was compared: a name and what it stands for. */
  readonly about: readonly (readonly [name: string, what: string])[];
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
  const byKind = Map.groupBy(findings, ({ kind }) => kind as string);
  const sections = Object.entries<string>(notes).map(([kind, note]) => ({
    heading: kind.slice(0, 1).toUpperCase() + kind.slice(1),
    note,
    lines: (byKind.get(kind) ?? []).map(lineOf),
  }));
  const counts = Object.keys(notes).flatMap((kind) => {
    const found = byKind.get(kind);
    return found === undefined ? [] : [`${found.length} ${kind}`];
  });
  const worse = findings.some(({ kind }) => failing.includes(kind));
  const tone = worse ? 'worse' : findings.length > 0 ? 'changed' : 'same';
  return { headline: counts.join(', ') || 'no difference', tone, sections };
}

/** GitHub refuses a summary above 1 MiB, and nobody reads so much. */
const LONGEST_LIST = 300;
const LONGEST_TEXT = 500;

/** For a terminal; with few lines of each list it fits on a screen. */
export function digestText(digest: Digest, longest = LONGEST_LIST): string {
  const { headline, about, warnings } = digest;
  const width = Math.max(...about.map(([name]) => name.length));
  const lines = [
    headline,
    ...about.map(([name, what]) => `${name.padEnd(width)}  ${what}`),
    ...warnings.map((warning) => `WARNING  ${warning}`),
    ...sectionsOf(digest, longest).flatMap(({ heading, note, lines: list, more }) => [
      '',
      heading,
      ...(note === undefined ? [] : [`  (${note})`]),
      ...list.flatMap(({ name, text, details = [] }) => [
        `  ${name}  ${text}`,
        ...details.map((detail) => `      ${detail}`),
      ]),
      ...(more > 0 ? [`  and ${more} more`] : []),
    ]),
  ];
  return `${lines.map((line) => cut(visible(line), LONGEST_TEXT)).join('\n')}\n`;
}

/** For a job summary or a pull request. */
export function digestMd(digest: Digest): string {
  const { title, headline, about, warnings } = digest;
  const short = (value: string): string => plain(cut(value, LONGEST_TEXT));
  const blocks = [
    `## ${marks[digest.tone]} ${short(title)}: ${short(headline)}`,
    about.map(([name, what]) => `- ${short(name)}: ${short(what)}`).join('\n'),
    ...warnings.map((warning) => `> **Warning:** ${short(warning)}`),
    ...sectionsOf(digest).flatMap(({ heading, note, lines, more }) => [
      `### ${short(heading)}`,
      ...(note === undefined ? [] : [short(note)]),
      [
        ...lines.flatMap(({ name, text, details = [] }) => [
          `- ${code(name)} ${short(text)}`,
          ...details.map((detail) => `  - ${short(detail)}`),
        ]),
        ...(more > 0 ? [`- and ${more} more`] : []),
      ].join('\n'),
    ]),
  ];
  return `${blocks.join('\n\n')}\n`;
}

const marks: Readonly<Record<Digest['tone'], string>> = { same: '✅', changed: 'ℹ️', worse: '❌' };

/** The sections that say something, and how many lines of each are left out. */
export function sectionsOf(
  { sections }: Digest,
  longest = LONGEST_LIST,
): (DigestSection & { readonly more: number })[] {
  return sections
    .filter(({ lines }) => lines.length > 0)
    .map(({ heading, lines, uncounted, ...rest }) => ({
      ...rest,
      heading: uncounted === true ? heading : `${heading} (${lines.length})`,
      lines: lines.slice(0, longest),
      more: Math.max(0, lines.length - longest),
    }));
}
