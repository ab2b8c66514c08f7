/** Writes generated files; with `--check` it writes nothing and fails if one of them is stale. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const fileOf = (name: string) => new URL(`../${name}`, import.meta.url);

/** The text of a file of the repository; empty if the file does not exist. */
export function committedText(name: string): string {
  const file = fileOf(name);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** A text with the part between the marks `<!-- name: ... -->` and `<!-- /name -->` replaced. */
export function withRegion(text: string, name: string, region: string): string {
  const marked = new RegExp(`(<!-- ${name}: .*-->\\n)[^]*?(<!-- /${name} -->)`);
  if (!marked.test(text)) throw new Error(`there is no place for the ${name}`);
  return text.replace(marked, (_whole, before: string, after: string) => before + region + after);
}

/** `files` are texts by name, relative to the root of the repository. */
export function writeGenerated(files: Readonly<Record<string, string>>): void {
  const stale = Object.entries(files).filter(([name, text]) => committedText(name) !== text);
  if (process.argv.includes('--check')) {
    for (const [name] of stale) console.error(`${name} is stale: run npm run generate`);
    process.exitCode = stale.length > 0 ? 1 : 0;
    return;
  }
  for (const [name, text] of stale) writeFileSync(fileOf(name), text);
  console.log(stale.length > 0 ? `wrote ${stale.map(([name]) => name).join(', ')}` : 'all fresh');
}
