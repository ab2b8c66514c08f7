/**
 * Measures the house: the lines of each room, the floors of imports, and import cycles.
 *
 * `npm run house` prints the figures next to the committed ones. `--write` updates the table and
 * the drawings in CONTRIBUTING.md; `--check` compares the drawings.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { withRegion } from '../../spec/write-generated.ts';
import { rules } from './rooms.ts';

export const root: string = fileURLToPath(new URL('../..', import.meta.url));
const islands = ['bin', 'spec', 'mock', 'conformance', 'fixtures', 'reports', 'lab'];

/** Hand-written source, including `testing/`, without tests, examples and generated files. */
export const sources: readonly string[] = globSync(`{${islands.join(',')}}/**/*.{ts,js,mjs}`, {
  cwd: root,
})
  .filter((file) => !/generated|\.types\.ts$|\.test(-d)?\.ts$|\/(examples|out)\//.test(file))
  .sort();

export const linesOf = (file: string): number =>
  readFileSync(`${root}/${file}`, 'utf8').split('\n').length - 1;

/** The imports of all sources, judged by the rules of `rooms.ts`. */
export async function imports(): Promise<ICruiseResult> {
  const { options, forbidden } = rules;
  const { output } = await cruise(islands, {
    ...options,
    baseDir: root,
    validate: true,
    ruleSet: { forbidden },
  });
  if (typeof output === 'string') throw new Error(output);
  return output;
}

export interface Drawing {
  /** The folders that each folder imports. Areas are drawn as one. */
  readonly arrows: ReadonlyMap<string, ReadonlySet<string>>;
  /** The floor of each folder; the ground is 1. */
  readonly floors: ReadonlyMap<string, number>;
}

/** The product and the lab are two houses, each drawn without the arrows to the other. */
export type House = 'product' | 'lab';

const houseOf = (file: string): House => (file.startsWith('lab/') ? 'lab' : 'product');

/** Folders as rooms and imports as arrows. Throws if folders import each other in a circle. */
export function draw({ modules }: ICruiseResult, house: House): Drawing {
  const arrows = new Map<string, Set<string>>();
  const own = modules.filter(({ source }) => houseOf(source) === house);
  for (const [room, files] of Map.groupBy(own, ({ source }) => roomOf(source))) {
    const imported = files.flatMap(({ dependencies }) => dependencies);
    const others = new Set(
      imported.flatMap(({ resolved }) => (houseOf(resolved) === house ? roomOf(resolved) : [])),
    );
    others.delete(room);
    arrows.set(room, others);
  }
  const floors = new Map<string, number>();
  const climb = (room: string, trail: readonly string[]): number => {
    if (trail.includes(room)) throw new Error(`a circle: ${[...trail, room].join(' -> ')}`);
    const known = floors.get(room);
    if (known !== undefined) return known;
    const below = [...(arrows.get(room) ?? [])].map((other) => climb(other, [...trail, room]));
    const floor = 1 + Math.max(0, ...below);
    floors.set(room, floor);
    return floor;
  };
  for (const room of arrows.keys()) climb(room, []);
  return { arrows, floors };
}

/** The room of a file. All areas are one room. A room of the lab includes its subfolders. */
const roomOf = (file: string): string =>
  dirname(file)
    .replace(/(\/areas)\/.*/, '$1')
    .replace(/^(lab\/[^/]+)\/.*/, '$1');

/** A Mermaid flowchart. An arrow is left out if a longer path says the same. */
export function picture({ arrows, floors }: Drawing): string {
  const lines = ['flowchart TD'];
  const rooms = [...arrows.keys()].sort();
  const height = Math.max(...floors.values());
  for (let floor = height; floor > 0; floor -= 1) {
    lines.push(`  subgraph floor${floor}[" "]`);
    for (const room of rooms) {
      if (floors.get(room) === floor) lines.push(`    ${idOf(room)}["${room}"]`);
    }
    lines.push('  end');
  }
  const reaches = (from: string, to: string): boolean =>
    [...(arrows.get(from) ?? [])].some((next) => next === to || reaches(next, to));
  for (const from of rooms) {
    const direct = [...(arrows.get(from) ?? [])].sort();
    for (const to of direct) {
      const longer = direct.some((other) => other !== to && reaches(other, to));
      if (!longer) lines.push(`  ${idOf(from)} --> ${idOf(to)}`);
    }
  }
  return lines.join('\n');
}

const idOf = (room: string): string => room.replaceAll('/', '_');

/** Lines of each room: a folder of an island with its subfolders; `testing/` is a separate room. */
export function linesByRoom(): Readonly<Record<string, number>> {
  const rooms = Map.groupBy(sources, (file) => {
    const testing = /^.*\/testing(?=\/)/.exec(file);
    return testing?.[0] ?? file.split('/').slice(0, -1).slice(0, 2).join('/');
  });
  const sum = (files: readonly string[]) => files.reduce((all, file) => all + linesOf(file), 0);
  return Object.fromEntries([...rooms].map(([room, files]) => [room, sum(files)]).sort());
}

/** The committed lines of each room; `npm run house -- --write` updates them. */
export const committedLines = (): Readonly<Record<string, number>> =>
  JSON.parse(readFileSync(linesFile, 'utf8'));

const linesFile = fileURLToPath(new URL('./lines.json', import.meta.url));

/** `before` and `now` of each room, and their sums: product, lab and `testing/`. */
function table(before: Readonly<Record<string, number>>): string {
  const now = linesByRoom();
  const rooms = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  const sumOf = (lines: Readonly<Record<string, number>>, wanted: (room: string) => boolean) =>
    Object.entries(lines).reduce((sum, [room, count]) => sum + (wanted(room) ? count : 0), 0);
  const sums: readonly (readonly [string, (room: string) => boolean])[] = [
    ['the product', (room) => !isMeasuring(room)],
    ['the lab and testing/', isMeasuring],
    ['all hand-written source', () => true],
  ];
  return [
    ...rooms.map((room) => `${before[room] ?? 0}\t${now[room] ?? 0}\t${room}`),
    ...sums.map(([name, wanted]) => `${sumOf(before, wanted)}\t${sumOf(now, wanted)}\t${name}`),
  ].join('\n');
}

const isMeasuring = (room: string): boolean => /^lab\b|\/testing$/.test(room);

/** CONTRIBUTING.md with both drawings updated. */
export function withDrawings(text: string, result: ICruiseResult): string {
  const drawn = (house: House) => `\`\`\`mermaid\n${picture(draw(result, house))}\n\`\`\`\n`;
  const lab = `The lab, without its imports from the product:\n\n${drawn('lab')}`;
  return withRegion(text, 'drawing', `\n${drawn('product')}\n${lab}\n`);
}

export const floorsOf = (result: ICruiseResult, house: House): number =>
  Math.max(...draw(result, house).floors.values());

if (import.meta.main) {
  const result = await imports();
  const { violations } = result.summary;
  process.stdout.write(
    `before\tnow\troom (lines; before: lab/house/lines.json)\n${table(committedLines())}\n\n`,
  );
  for (const { from, to, rule } of violations) {
    process.stdout.write(`${rule.name}: ${from} imports ${to}\n`);
  }
  const [product, lab] = [floorsOf(result, 'product'), floorsOf(result, 'lab')];
  process.stdout.write(`floors: ${product} of the product, ${lab} of the lab\n`);
  const file = `${root}/CONTRIBUTING.md`;
  const text = readFileSync(file, 'utf8');
  const drawn = withDrawings(text, result);
  if (process.argv.includes('--write')) {
    writeFileSync(file, drawn);
    writeFileSync(linesFile, `${JSON.stringify(linesByRoom(), null, 2)}\n`);
  }
  const stale = process.argv.includes('--check') && text !== drawn;
  if (stale) process.stdout.write('CONTRIBUTING.md: run npm run house -- --write\n');
  process.exitCode = stale || violations.length > 0 ? 1 : 0;
}
