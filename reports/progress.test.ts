import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { ProgressEvent } from '../conformance/judge/progress-event.ts';
import { createProgress } from './progress.ts';

const events: readonly ProgressEvent[] = [
  { type: 'started', scenarios: 3, baseUrl: 'https://acme.example.com' },
  { type: 'scenario-started', scenario: 'Lists come in pages' },
  { type: 'scenario-started', scenario: 'Toggling' },
  {
    type: 'scenario-ended',
    scenario: 'Lists come in pages',
    outcome: 'ran',
    durationMs: 48,
    verdicts: { verified: 12, observed: 2 },
  },
  { type: 'waiting', reason: 'the target answered 429', milliseconds: 2000 },
  {
    type: 'scenario-ended',
    scenario: 'Toggling',
    outcome: 'ran',
    durationMs: 4200,
    verdicts: { verified: 3, violated: 1 },
  },
  {
    type: 'scenario-ended',
    scenario: 'Adding',
    outcome: 'not-run',
    durationMs: 0,
    verdicts: { 'not-testable': 4 },
    reason: 'permanent writes are not allowed',
  },
  { type: 'ended' },
];

function run(
  isTTY: boolean,
  now = () => 0,
  all = events,
  standards: 'report' | 'enforce' = 'report',
): string[] {
  const written: string[] = [];
  const stream = { isTTY, columns: 100, write: (text: string) => written.push(text) };
  const progress = createProgress(stream, now, standards);
  for (const event of all) progress(event);
  return written;
}

describe('without a terminal', () => {
  test('a log holds only failures, progress and long waits', () => {
    expect(run(false)).toEqual([
      '3 scenarios against https://acme.example.com\n',
      '1 of 3\n',
      'violated  Toggling\n',
      '2 of 3\n',
      '3 of 3\n',
    ]);
  });

  test('a deviation from a standard is told only if standards are enforced', () => {
    const [started] = events;
    const ended = { ...events[3], verdicts: { deviates: 2 } } as ProgressEvent;
    const all = [started as ProgressEvent, ended];
    expect(run(false, undefined, all).join('')).not.toContain('deviates');
    expect(run(false, undefined, all, 'enforce')).toContain('deviates  Lists come in pages\n');
  });

  test('three hundred scenarios, all of which fail, are not three hundred lines', () => {
    const [started, , , ended] = events;
    const many = Array.from({ length: 300 }, () => ({ ...ended, verdicts: { violated: 1 } }));
    const written = run(false, undefined, [
      { ...started, scenarios: 300 },
      ...many,
    ] as ProgressEvent[]);
    expect(written).toHaveLength(1 + 5 + 10);
    expect(written[5]).toContain('(further failures are in the summary)');
  });

  test('the remaining time comes from the plan, later from the pace; turns never exceed their total', () => {
    let time = 0;
    const ended = events.find(({ type }) => type === 'scenario-ended') as ProgressEvent;
    const turns = Array.from({ length: 12 }, () => ended);
    const all = [
      { type: 'planned', milliseconds: 80_000 },
      { ...events[0], scenarios: 10 },
    ];
    const written = run(false, () => (time += 6000), [...all, ...turns] as ProgressEvent[]);
    expect(written.filter((_, index) => [1, 5, 9].includes(index))).toEqual([
      '1 of 10, about 1 min 00 s left\n',
      '5 of 10, about 35 s left\n',
      '9 of 10, about 5 s left\n',
    ]);
    expect(written.at(-1)).toBe('10 of 10\n');
  });

  test('a hostile scenario name stays on its line', () => {
    const reason = 'a\nb\u001b[2J';
    const written = run(false, undefined, [{ type: 'waiting', reason, milliseconds: 9000 }]);
    expect(written).toEqual(['waiting: a\\nb\\u{1b}[2J (9 s)\n']);
  });
});

describe('on a terminal', () => {
  let time = 0;
  const ticking = () => (time += 100);

  test('a bar shows counts and running scenarios within the width of the terminal', () => {
    const written = run(true, ticking);
    const bars = written.filter((text) => text.includes('░') || text.includes('█'));
    expect(bars.some((text) => text.includes('1/3, 12 verified  Toggling'))).toBe(true);
    expect(bars.some((text) => text.includes('waiting: the target answered 429 (2 s)'))).toBe(true);
    expect(bars.some((text) => text.includes('3/3, 15 verified, 1 broken, 4 not testable'))).toBe(
      true,
    );
    for (const text of bars) {
      const shown = stripVTControlCharacters(text).replace('\r', '');
      expect(shown.length).toBeLessThan(100);
      expect(text).not.toContain('\n');
    }
  });

  test('only failures stay on screen, and the bar is removed at the end', () => {
    const written = run(true, ticking);
    expect(written.filter((text) => text.endsWith('\n'))).toEqual([
      '\r\u001b[2Kviolated  Toggling\n',
    ]);
    expect(written.at(-1)).toBe('\r\u001b[2K');
  });

  test('the bar is drawn at most every 50 ms', () => {
    expect(run(true).length).toBeLessThan(run(true, ticking).length);
  });
});
