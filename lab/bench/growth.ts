/** How requests each second go as something grows: measured, and drawn. */
import { html } from '../../spec/base/html.ts';
import { type Call, list, sizes, subscribe } from './calls.ts';
import { type Effort, known } from './known.ts';
import type { Order } from './load.ts';
import { large, race, withBare } from './race.ts';
import { median } from './table.ts';

/** By name: `[x, y]`, in the order of x. */
export type Lines = Readonly<Record<string, (readonly [x: number, y: number])[]>>;

type Point = Pick<Order, 'connections'> & { calls?: readonly Call[]; args?: readonly string[] };

const points: Readonly<Record<string, (x: number) => Point>> = {
  worlds: (x) => ({ calls: Array.from({ length: x }, (_, at) => ({ ...list, world: `b${at}` })) }),
  rows: (x) => ({ args: large(sizes(x)) }),
  connections: (connections) => ({ connections }),
  recipients: (x) => ({ calls: [subscribe(x)] }),
};

/** Requests each second as something grows, and of bare node:http under the same load. */
export async function curve(name: string, effort: Effort): Promise<Lines> {
  const lines: Lines = { mock: [], bare: [] };
  for (const x of known.growths[name]?.at ?? []) {
    const { calls = [list], args, ...more } = points[name]?.(x) ?? {};
    // The worlds are not there yet.
    await using both = await withBare(calls[0]?.world ? [list] : calls, args);
    for (const { world: id } of calls) {
      if (id === undefined) continue;
      const body = JSON.stringify({ id });
      const { status } = await both.mock.ask({ path: '/__admin/worlds', method: 'POST', body });
      if (status !== 201) throw new Error(`world ${id}: ${status}`);
    }
    const servers = { mock: { ...both.mock, calls }, bare: { ...both.bare, calls } };
    const rates = await race(servers, { ...effort, rounds: 2 }, more);
    for (const [server, line] of Object.entries(lines)) line.push([x, median(rates[server])]);
  }
  return lines;
}

const [WIDTH, HEIGHT, LEFT, RIGHT, FLOOR] = [640, 220, 60, 600, 180];
const colours = ['#4461c4', '#8a8a8a'];

export function plot(axis: string, lines: Lines): string {
  const points = Object.values(lines).flat();
  const xs = [...new Set(points.map(([x]) => x))];
  const top = Math.max(...points.map(([, y]) => y));
  const [from, to] = [Math.log(Math.min(...xs)), Math.log(Math.max(...xs))];
  const across = (x: number) => round(LEFT + ((Math.log(x) - from) / (to - from)) * (RIGHT - LEFT));
  const up = (y: number) => round(FLOOR - (y / top) * (FLOOR - 24));
  const ticks = xs.map((x) => html`<text x="${across(x)}" y="${FLOOR + 16}">${named(x)}</text>`);
  const rules = [0, top / 2, top].map(
    (y) =>
      html`<path d="M${LEFT} ${up(y)}H${WIDTH}" stroke="#8884"/><text x="28" y="${up(y) + 4}">${named(y)}</text>`,
  );
  const drawn = Object.entries(lines).map(([name, line], index) => {
    const path = line.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${across(x)} ${up(y)}`).join('');
    const dots = line.map(([x, y]) => html`<circle cx="${across(x)}" cy="${up(y)}" r="3"/>`);
    const colour = colours[index % colours.length] ?? '';
    return html`<path fill="none" stroke="${colour}" stroke-width="2" d="${path}"/><g fill="${colour}">${dots}<text x="${LEFT + 60 + index * 120}" y="12">${name}</text></g>`;
  });
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" fill="#777" font-family="sans-serif" font-size="12" text-anchor="middle">
<title>Requests/s against ${axis}</title>
${rules}${ticks}${drawn}<text x="${RIGHT / 2}" y="${HEIGHT - 4}">${axis}</text>
</svg>
`.html;
}

const named = (value: number): string => Math.round(value).toLocaleString('en');

const round = (value: number): number => Math.round(value * 10) / 10;
