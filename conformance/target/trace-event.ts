import type { Judged } from '../judge/report.ts';
import type { Exchange } from './client.ts';

/** What a run tells somebody who writes a scenario. It may hold secrets. */
export type TraceEvent =
  | ({ readonly type: 'exchange' } & Exchange)
  | {
      readonly type: 'step';
      readonly scenario: string;
      /** With its place in the loops around it. */
      readonly step: string;
      readonly judged: readonly Judged[];
      readonly captured: Readonly<Record<string, unknown>>;
      /** Why what follows is not tried. */
      readonly stopped?: string | undefined;
    };
