import type { ScenarioResult, Verdict } from './report.ts';

/** An event that a run sends while it goes on. */
export type ProgressEvent =
  /** Sent first: how long the run should take. */
  | { readonly type: 'planned'; readonly milliseconds: number }
  | { readonly type: 'started'; readonly scenarios: number; readonly baseUrl: string }
  | { readonly type: 'scenario-started'; readonly scenario: string }
  | {
      readonly type: 'scenario-ended';
      readonly scenario: string;
      readonly outcome: ScenarioResult['outcome'];
      readonly durationMs: number;
      /** How many of its checks got each verdict. */
      readonly verdicts: Readonly<Partial<Record<Verdict, number>>>;
      readonly reason?: string | undefined;
    }
  /** The run waits: for a throttled target, or for a change to show. */
  | { readonly type: 'waiting'; readonly reason: string; readonly milliseconds: number }
  | { readonly type: 'ended' };

/** Figures that predict the length of a run. */
export interface Pace {
  /** Requests a second; undefined without a limit. */
  readonly rate: number | undefined;
  readonly convergenceMs: number;
  /** No scenario begins after this time; undefined if there is no limit. */
  readonly budgetMs?: number | undefined;
  /** Scenarios are repeated until this time is over; undefined if none is repeated so. */
  readonly soakMs?: number | undefined;
}

/** From no wait at all, to the longest wait that the run allows for each change. `requests`, `waits`: estimates. */
export function expectedMs(
  { requests, waits }: { readonly requests: number; readonly waits: number },
  { rate = 50, convergenceMs, soakMs = 0 }: Pace,
): { readonly least: number; readonly most: number } {
  const least = Math.ceil(requests / rate) * 1000;
  const most = least + waits * convergenceMs;
  return { least: Math.max(least, soakMs), most: Math.max(most, soakMs) };
}
