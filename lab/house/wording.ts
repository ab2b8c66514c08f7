/** Finds phrases of `wording.yaml` in every text that people read: `npm run lint` runs it. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { parse } from 'yaml';

interface Wording {
  readonly most: number;
  readonly words: number;
  readonly phrases: readonly {
    readonly says: string;
    readonly pattern: string;
    readonly better: string;
  }[];
  readonly allow: readonly { readonly file: string; readonly text: string; readonly why: string }[];
}

/** A piece of prose, and the number of its first line. */
export interface Prose {
  readonly line: number;
  readonly text: string;
  /** Comments have no limit on the length of a sentence; other texts have one. */
  readonly isComment: boolean;
}

export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly says: string;
  readonly better: string;
  readonly text: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const wording = parse(readFileSync(new URL('wording.yaml', import.meta.url), 'utf8')) as Wording;
const patterns = wording.phrases.map((phrase) => ({
  ...phrase,
  pattern: new RegExp(phrase.pattern, 'i'),
}));

const notOurs =
  /(^|\/)(node_modules|dist|out)\/|\.generated\.|^reports\/[^/]*\.(md|json)$|openapi\.types|CHANGELOG|wording\.yaml/;

/** Every file with prose of ours. */
function filesWithProse(): string[] {
  const found = globSync('**/*.{ts,js,md,yaml,yml}', {
    cwd: root,
    exclude: ['node_modules', 'dist'],
  });
  return found.filter((file) => !notOurs.test(file)).sort();
}

/** Pure: the prose of a file. */
export function proseOf(file: string, text: string): Prose[] {
  if (file.endsWith('.md')) return proseOfMarkdown(text);
  return /\.ya?ml$/.test(file) ? proseOfYaml(text) : proseOfCode(text);
}

/** Comments, and strings of more than one word. */
function proseOfCode(text: string): Prose[] {
  const source = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true);
  const lineOf = (at: number): number => source.getLineAndCharacterOfPosition(at).line + 1;
  const comments = new Map<number, Prose>();
  const texts: Prose[] = [];
  const visit = (node: ts.Node): void => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ];
    for (const { pos, end } of ranges)
      comments.set(pos, {
        ...{ line: lineOf(pos), isComment: true },
        text: unmarked(text.slice(pos, end)),
      });
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if ((isText || ts.isTemplateHead(node)) && / \w+ /.test(node.text))
      texts.push({ line: lineOf(node.getStart()), text: node.text, isComment: false });
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  return [...comments.values(), ...texts].sort((a, b) => a.line - b.line);
}

const unmarked = (comment: string): string =>
  comment
    .replace(/^\/\*+|\*+\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(\*|\/\/)?\s?/, ''))
    .join('\n');

/** Paragraphs, list items and cells of tables; code is left out. */
function proseOfMarkdown(text: string): Prose[] {
  const found: Prose[] = [];
  let isCode = false;
  let open: { line: number; text: string } | undefined;
  const close = (): void => {
    if (open !== undefined) found.push({ ...open, isComment: false });
    open = undefined;
  };
  for (const [index, raw] of text.split('\n').entries()) {
    if (/^\s*```/.test(raw)) isCode = !isCode;
    const row = raw.replaceAll(/`[^`]*`/g, 'X').replaceAll(/\]\([^)]*\)/g, ']');
    const begins = /^\s*([-*+|>#]|\d+\.) ?/.exec(row)?.[0];
    if (isCode || row.trim() === '' || begins !== undefined) close();
    if (isCode || row.trim() === '') continue;
    if (row.startsWith('|')) {
      for (const cell of row.split('|'))
        found.push({ line: index + 1, text: cell.trim(), isComment: false });
    } else if (open === undefined) open = { line: index + 1, text: row.slice(begins?.length ?? 0) };
    else open.text += `\n${row.trim()}`;
  }
  close();
  return found;
}

/** Comments and values, line by line. */
function proseOfYaml(text: string): Prose[] {
  return text.split('\n').flatMap((raw, index) => {
    const comment = /^\s*# ?(.*)$/.exec(raw)?.[1];
    const value = comment ?? raw.replace(/^\s*(- )?([\w$/.-]+: )?(>-|\|)?/, '');
    return / \w+ /.test(value)
      ? [{ line: index + 1, text: value, isComment: comment !== undefined }]
      : [];
  });
}

/** Pure: the phrases and the sentences of a file that slow its reader down. */
export function findingsIn(file: string, text: string): Finding[] {
  const isAllowed = (prose: string): boolean =>
    wording.allow.some((one) => one.file === file && prose.includes(one.text));
  return proseOf(file, text).flatMap((prose) => {
    const sentences = prose.text
      .split(/(?<=[.!?;:])\s+|\n\n/)
      .map((one) => one.replaceAll(/\s+/g, ' ').trim());
    return sentences.flatMap((sentence): Finding[] => {
      if (isAllowed(sentence)) return [];
      const place = { file, line: prose.line, text: sentence };
      const phrases = patterns
        .filter(({ pattern }) => pattern.test(sentence))
        .map(({ says, better }) => ({ ...place, says, better }));
      const words = sentence.split(' ').length;
      if (prose.isComment || file.endsWith('.yaml') || words <= wording.words) return phrases;
      const better = `at most ${wording.words}; aim at 25`;
      return [...phrases, { ...place, says: `a sentence of ${words} words`, better }];
    });
  });
}

export const allFindings = (): Finding[] =>
  filesWithProse().flatMap((file) => findingsIn(file, readFileSync(`${root}/${file}`, 'utf8')));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , only = ''] = process.argv;
  const found = allFindings();
  const isTooMuch = found.length > wording.most;
  // The places are shown if a folder was given, or if there are too many.
  const shown = isTooMuch || only !== '' ? found.filter(({ file }) => file.startsWith(only)) : [];
  for (const { file, line, says, better, text } of shown)
    process.stdout.write(`${file}:${line}  ${says}: ${better}\n    ${text.slice(0, 160)}\n`);
  if (shown.length > 0)
    process.stdout.write(
      `${found.length} places, at most ${wording.most} (lab/house/wording.yaml)\n`,
    );
  process.exitCode = isTooMuch ? 1 : 0;
}
