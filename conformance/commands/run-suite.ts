/** A run, recorded and judged: what `certify`, the exam and the campaigns call. */

import { judge, judgeTurn } from '../judge/judge.ts';
import type { ProgressEvent } from '../judge/progress-event.ts';
import type { ScenarioRecord, TurnRecord } from '../judge/record.ts';
import type { Judged, Verdict } from '../judge/report.ts';
import { type RunInput as RecordInput, recordRun } from '../run/run.ts';

export interface RunInput extends Omit<RecordInput, 'enough' | 'onEvent'> {
  /** Ends the tries of an exam once a scenario has shown what they are for. */
  readonly enough?: ((came: { readonly judged: readonly Judged[] }) => boolean) | undefined;
  readonly onProgress?: ((event: ProgressEvent) => void) | undefined;
}

/** Rejects with what `recordRun` does. */
export async function runSuite({ enough, onProgress, ...input }: RunInput) {
  const { record, evidence, redactor } = await recordRun({
    ...input,
    enough: enough && ((record) => enough({ judged: lastTurn(record).judged })),
    onEvent:
      onProgress &&
      ((event) => onProgress(event.type === 'scenario-ended' ? ended(event.record) : event)),
  });
  const report = judge(record);
  // Reasons, names of headers and fields, bindings: wherever the target may have put a secret.
  return { report: input.evidence === false ? report : redactor.value(report), evidence };
}

function lastTurn(record: ScenarioRecord): {
  readonly turn: TurnRecord;
  readonly judged: Judged[];
} {
  const turn = record.turns.at(-1);
  if (turn === undefined) throw new Error(`${record.scenario} had no turn`);
  return { turn, judged: judgeTurn(record, turn) };
}

function ended(record: ScenarioRecord): ProgressEvent {
  const { turn, judged } = lastTurn(record);
  const verdicts: Partial<Record<Verdict, number>> = {};
  for (const { verdict } of judged) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
  const { durationMs, first } = turn;
  const { couldNotRun: reason } = first;
  const outcome = reason === undefined ? 'ran' : 'could-not-run';
  const { scenario } = record;
  return { type: 'scenario-ended', scenario, outcome, durationMs, verdicts, reason };
}
