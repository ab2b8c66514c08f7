/**
 * The findings of a comparison for people: one headline, then lists. Every comparing command makes
 * one, and each output form can write it.
 */

import { visible } from '../../spec/base/visible.ts';
import { code, text as plain, prose } from '../markdown.ts';
import { atMost, cut, present, ranges } from '../text.ts';

export interface Comparison {
  readonly title: string;
  readonly headline: string;
  /** `worse` makes the command fail. */
  readonly tone: 'same' | 'changed' | 'worse';
  /** The two sides of the comparison, by a name for each. */
  readonly about: Readonly<Record<string, string>>;
  /** Warnings that a reader must see first. */
  readonly warnings: readonly string[];
  /** A section without lines is left out. */
  readonly sections: readonly Section[];
}

export interface Section {
  readonly heading: string;
  /** The number of its lines has no meaning. */
  readonly uncounted?: true;
  /** How the list was made, if that needs an explanation. */
  readonly note?: string | undefined;
  readonly lines: readonly Line[];
}

export interface Line {
  /** The subject of the line: a statement, an operation, a place. */
  readonly name: string;
  readonly text: string;
  readonly details?: readonly string[] | undefined;
}

/** Statements as one line; none if there are none. */
export function idsLine(name: string, ids: readonly string[]): Line[] {
  return ids.length > 0 ? [{ name, text: ranges(ids) }] : [];
}

/** One difference, and its meaning. */
export interface Difference<Kind extends string> extends Line {
  readonly kind: Kind;
  /** True if it makes the command fail. */
  readonly fails: boolean;
}

/**
 * The differences of a comparison: a section for each kind with its note, and a headline that counts
 * them. A finding of the kind `stays` is listed, but is not counted as a difference.
 */
export function byKind<K extends string>(
  differences: readonly Difference<K>[],
  notes: Readonly<Record<K, string | undefined>>,
  stays?: NoInfer<K>,
): Pick<Comparison, 'headline' | 'tone' | 'sections'> {
  const sections = Object.entries<string | undefined>(notes).map(([kind, note]) => ({
    ...{ kind, note, heading: kind.slice(0, 1).toUpperCase() + kind.slice(1) },
    lines: differences.filter((one) => one.kind === kind),
  }));
  const counts = sections.map(
    ({ kind, lines }) => kind !== stays && lines.length > 0 && `${lines.length} ${kind}`,
  );
  const parts = present(...counts);
  const changed = parts.length > 0 ? 'changed' : 'same';
  const tone = differences.some(({ fails }) => fails) ? 'worse' : changed;
  return { headline: parts.join(', ') || 'no difference', tone, sections };
}

type Piece = 'title' | 'about' | 'warning' | 'heading' | 'note' | 'line' | 'detail' | 'more';

/** An output form: how each piece of a comparison is written. */
type Form = Readonly<Record<Piece, (text: string, name: string) => string>>;

/** GitHub refuses a summary above 1 MiB, and nobody reads so much. */
const LONGEST_LIST = 300;
const LONGEST_TEXT = 500;

function written(form: Form, comparison: Comparison, longest = LONGEST_LIST): string {
  const { title, headline, about, warnings, sections } = comparison;
  const inSection = ({ heading, uncounted, note, lines }: Section): string[] => {
    if (lines.length === 0) return [];
    const all = lines.map(({ name, text, details = [] }) => [
      form.line(text, name),
      ...details.map((detail) => form.detail(detail, name)),
    ]);
    return [
      form.heading(uncounted ? heading : `${heading} (${lines.length})`, ''),
      ...present(note).map((text) => form.note(text, '')),
      ...atMost(longest, all, (left) => [form.more(`and ${left} more`, '')]).flat(),
    ];
  };
  const pieces = [
    form.title(headline, title),
    ...Object.entries(about).map(([name, text]) => form.about(text, name)),
    ...warnings.map((text) => form.warning(text, '')),
    ...sections.flatMap(inSection),
  ];
  return `${pieces.join('\n')}\n`;
}

/** A text for a terminal, which cannot move the cursor. */
const shown = (text: string): string => cut(visible(text), LONGEST_TEXT);
const textForm: Form = {
  title: (text) => shown(text),
  about: (text, name) => shown(`${name}  ${text}`),
  warning: (text) => shown(`WARNING  ${text}`),
  heading: (text) => `\n${shown(text)}`,
  note: (text) => shown(`  (${text})`),
  line: (text, name) => shown(`  ${name}  ${text}`),
  detail: (text) => shown(`      ${text.replaceAll('`', '')}`),
  more: (text) => `  ${text}`,
};

/** The comparison for a terminal. With a limit for each list it fits on a screen. */
export function comparisonText(comparison: Comparison, longest?: number): string {
  return written(textForm, comparison, longest);
}

const marks: Readonly<Record<Comparison['tone'], string>> = {
  same: '✅',
  changed: 'ℹ️',
  worse: '❌',
};

/** For a job summary or a pull request. */
export function comparisonMd(comparison: Comparison): string {
  const short = (text: string): string => plain(cut(text, LONGEST_TEXT));
  return written(
    {
      title: (text, name) => `## ${marks[comparison.tone]} ${short(name)}: ${short(text)}\n`,
      about: (text, name) => `- ${short(name)}: ${short(text)}`,
      warning: (text) => `\n> **Warning:** ${short(text)}`,
      heading: (text) => `\n### ${short(text)}\n`,
      note: (text) => `${short(text)}\n`,
      line: (text, name) => `- ${code(name)} ${short(text)}`,
      detail: (text) => `  - ${prose(cut(text, LONGEST_TEXT))}`,
      more: (text) => `- ${text}`,
    },
    comparison,
  );
}
