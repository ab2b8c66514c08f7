/** The names of failing tests, from JUnit's XML. */
import { readFileSync, statSync } from 'node:fs';

const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
};

/** Names of the failed tests; undefined if no file was written since `since` (ms since 1970). */
export function failedIn(files: readonly string[], since: number): string[] | undefined {
  const cases = files.flatMap((file) =>
    withoutOutput(readText(file, since))
      .split(/<testcase\b/)
      .slice(1),
  );
  if (cases.length === 0) return undefined;
  const named = cases.map((text) => {
    const head = text.slice(0, text.indexOf('>'));
    const [inner = ''] = head.endsWith('/') ? [] : text.slice(head.length).split('</testcase>');
    const name = [attribute(head, 'classname'), attribute(head, 'name')];
    return { name: name.filter(Boolean).join(' › '), failed: /<(failure|error)\b/.test(inner) };
  });
  const failed = named.filter((one) => one.failed).map(({ name }) => name);
  return [...new Set(failed)].sort();
}

/** Removes the output of the tests, because it may look like XML. */
const withoutOutput = (text: string): string =>
  text
    .split('<![CDATA[')
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf(']]>') + 3)))
    .join('');

/** Empty if an earlier run wrote the file. A command that was killed leaves such files. */
function readText(file: string, since: number): string {
  try {
    return statSync(file).mtimeMs < since ? '' : readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function attribute(head: string, name: string): string {
  const [, text = ''] = new RegExp(`\\s${name}="([^"]*)"`).exec(head) ?? [];
  return text.replaceAll(/&(#x?[0-9a-fA-F]+|\w+);/g, (all, entity: string) => {
    if (!entity.startsWith('#')) return entities[entity] ?? all;
    const code = entity.startsWith('#x') ? `0x${entity.slice(2)}` : entity.slice(1);
    return String.fromCodePoint(Number(code));
  });
}
