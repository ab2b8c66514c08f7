/**
 * What a comparison found, as people read it: one headline, then lists. Each command that compares
 * makes one, and each form writes any of them.
 */

import { type Html, html } from '../../spec/base/html.ts';
import { visible } from '../../spec/base/visible.ts';
import { code, text as plain } from '../markdown.ts';
import { page } from '../page.ts';
import { atMost, cut, present, ranges } from '../text.ts';

export interface Comparison {
  readonly title: string;
  readonly headline: string;
  /** `worse` makes the command fail. */
  readonly tone: 'same' | 'changed' | 'worse';
  /** What was compared: a name and what it stands for. */
  readonly about: Readonly<Record<string, string>>;
  /** What a reader must know before anything else. */
  readonly warnings: readonly string[];
  /** One that has no lines is left out. */
  readonly sections: readonly Section[];
}

export interface Section {
  readonly heading: string;
  /** The number of its lines says nothing. */
  readonly uncounted?: true;
  /** How the list was made, if that is not plain. */
  readonly note?: string | undefined;
  readonly lines: readonly Line[];
}

export interface Line {
  /** What it is about: a statement, an operation, a place. */
  readonly name: string;
  readonly text: string;
  readonly details?: readonly string[] | undefined;
}

/** Statements as one line; none if there are none. */
export function idsLine(name: string, ids: readonly string[]): Line[] {
  return ids.length > 0 ? [{ name, text: ranges(ids) }] : [];
}

/** Something that differs, and what it says. */
export interface Difference<Kind extends string> extends Line {
  readonly kind: Kind;
  /** Makes the command fail. */
  readonly fails: boolean;
}

/**
 * The differences of a comparison: a section for each kind with its note, and a headline that counts
 * them. What only `stays` as it was is listed, and no difference.
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

/** How each piece of a comparison is written. */
type Form<Out> = Readonly<Record<Piece, (text: string, name: string) => Out>>;

/** GitHub refuses a summary above 1 MiB, and nobody reads so much. */
const LONGEST_LIST = 300;
const LONGEST_TEXT = 500;

function written<Out>(form: Form<Out>, comparison: Comparison, longest = LONGEST_LIST): Out[] {
  const { title, headline, about, warnings, sections } = comparison;
  const inSection = ({ heading, uncounted, note, lines }: Section): Out[] => {
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
  return [
    form.title(headline, title),
    ...Object.entries(about).map(([name, text]) => form.about(text, name)),
    ...warnings.map((text) => form.warning(text, '')),
    ...sections.flatMap(inSection),
  ];
}

/** Of a terminal; no text moves the cursor. */
const shown = (text: string): string => cut(visible(text), LONGEST_TEXT);
const textForm: Form<string> = {
  title: (text) => shown(text),
  about: (text, name) => shown(`${name}  ${text}`),
  warning: (text) => shown(`WARNING  ${text}`),
  heading: (text) => `\n${shown(text)}`,
  note: (text) => shown(`  (${text})`),
  line: (text, name) => shown(`  ${name}  ${text}`),
  detail: (text) => shown(`      ${text}`),
  more: (text) => `  ${text}`,
};

/** For a terminal; with few lines of each list it fits on a screen. */
export function comparisonText(comparison: Comparison, longest?: number): string {
  return `${written(textForm, comparison, longest).join('\n')}\n`;
}

const marks: Readonly<Record<Comparison['tone'], string>> = {
  same: '✅',
  changed: 'ℹ️',
  worse: '❌',
};

/** For a job summary or a pull request. */
export function comparisonMd(comparison: Comparison): string {
  const short = (text: string): string => plain(cut(text, LONGEST_TEXT));
  const pieces = written<string>(
    {
      title: (text, name) => `## ${marks[comparison.tone]} ${short(name)}: ${short(text)}\n`,
      about: (text, name) => `- ${short(name)}: ${short(text)}`,
      warning: (text) => `\n> **Warning:** ${short(text)}`,
      heading: (text) => `\n### ${short(text)}\n`,
      note: (text) => `${short(text)}\n`,
      line: (text, name) => `- ${code(name)} ${short(text)}`,
      detail: (text) => `  - ${short(text)}`,
      more: (text) => `- ${text}`,
    },
    comparison,
  );
  return `${pieces.join('\n')}\n`;
}

const style = `
:root { color-scheme: light dark; --same: #2a7d3f; --changed: #2a6cb0; --worse: #c0392b; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.1rem; font-weight: 400; margin: 0; } h3 { font-size: 1rem; margin-bottom: .2rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; border-top: 1px solid #8884; padding-top: 1rem; }
p { margin: .2rem 0; overflow-wrap: anywhere; }
.headline { font-size: 1.6rem; line-height: 1.3; border-left: .4rem solid; padding-left: .8rem; }
.warning { border: 1px solid #b8860b; border-radius: 6px; padding: .5rem .8rem; }
.line { padding-left: 1rem; text-indent: -.8rem; } .detail { padding-left: 1.8rem; font-size: .88rem; }
`;

/** As one HTML file, which may hold several. */
export function comparisonHtml(all: readonly Comparison[]): string {
  const pieces = (comparison: Comparison): Html[] =>
    written<Html>(
      {
        title: (text, name) => html`
<h1>${name}</h1>
<p class="headline" style="border-color: var(--${comparison.tone})">${text}</p>`,
        about: (text, name) => html`\n<p><b>${name}</b> ${text}</p>`,
        warning: (text) => html`\n<p class="warning"><strong>Warning:</strong> ${text}</p>`,
        heading: (text) => html`\n<h2>${text}</h2>`,
        note: (text) => html`\n<p>${text}</p>`,
        line: (text, name) => html`\n<p class="line"><b>${name}</b> ${text}</p>`,
        detail: (text) => html`\n<p class="detail">${text}</p>`,
        more: (text) => html`\n<p class="line">${text}</p>`,
      },
      comparison,
    );
  const title = all.length === 1 ? all[0]?.headline : all[0]?.title;
  return page(`${title} – Lockstep`, style, html`<main>${all.map(pieces)}</main>`);
}
