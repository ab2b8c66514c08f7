/** The names of failing tests, from JUnit's XML. */
import { readFileSync } from 'node:fs';

const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
};

/** Names of all tests and of the failed tests; undefined if no file can be read. */
export function testsIn(files: readonly string[]): { failed: string[]; all: string[] } | undefined {
  const cases = files.flatMap((file) =>
    readText(file)
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
  return { failed: [...new Set(failed)].sort(), all: named.map(({ name }) => name) };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
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
