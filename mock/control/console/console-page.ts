/**
 * The console as one page: its files, which a browser could also load one by one, put into one
 * text, so that it needs no further request and its Content-Security-Policy can name it by digest.
 */
import { readFileSync } from 'node:fs';
import { type HtmlPage, htmlPage } from '../../../spec/base/html-page.ts';
import { contract } from '../../../spec/contract.ts';

let made: HtmlPage | undefined;

/** Read at the first call. */
export function consolePage(): HtmlPage {
  made ??= makePage();
  return made;
}

function makePage(): HtmlPage {
  const style = read('theme.css') + read('console.css');
  const script = joinModules('console.js').replaceAll('</script', '<\\/script');
  const html = read('console.html')
    .replace('data-example=""', () => `data-example="${examplePath()}"`)
    .replace(/<link rel="stylesheet" href="theme.css"[^>]*>\s*/, '')
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${style}</style>`)
    .replace(
      '<script type="module" src="console.js"></script>',
      () => `<script type="module">${script}</script>`,
    );
  return htmlPage(html, style, script);
}

/** A path that can be read without an id, to try a world with. */
export function examplePath(): string {
  const operations = [...contract.operations.values()];
  return (
    operations.find(({ method, path }) => method === 'GET' && !path.includes('{'))?.path ?? '/'
  );
}

function read(name: string): string {
  return readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');
}

const IMPORT = /^import \{([^}]*)\} from '\.\/([\w-]+\.js)';$/gm;
const EXPORT = /^export (?=(?:async )?(?:function|const|class) (\w+))/gm;

/**
 * A module and all that it imports as one script: each becomes a function that gives what it
 * exports. Knows the forms that the console's files use, no others; a test holds them to that.
 */
export function joinModules(entry: string, load: (name: string) => string = read): string {
  const done = new Set<string>();
  const parts: string[] = [];
  const add = (name: string) => {
    if (done.has(name)) return;
    done.add(name);
    const exported: string[] = [];
    const text = load(name)
      .replaceAll(IMPORT, (_all, names: string, from: string) => {
        add(from);
        return `const {${names}} = ${variable(from)};`;
      })
      .replaceAll(EXPORT, (_all, exportedName: string) => {
        exported.push(exportedName);
        return '';
      });
    parts.push(
      `const ${variable(name)} = (() => {\n${text}\nreturn { ${exported.join(', ')} };\n})();`,
    );
  };
  add(entry);
  return parts.join('\n');
}

function variable(name: string): string {
  return `$${name.replace('.js', '').replaceAll('-', '_')}`;
}
