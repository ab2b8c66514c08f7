import type { CheckRecord } from '../judge/record.ts';
import type { Circumstance } from '../judge/rules-of-evidence.ts';
import type { Exchange } from './client.ts';

/** The events of a run for an author of a scenario. They may hold secrets. */
export type TraceEvent =
  | ({ readonly type: 'exchange' } & Exchange)
  | {
      readonly type: 'step';
      readonly scenario: string;
      /** With its place in the loops around it. */
      readonly step: string;
      readonly checks: readonly CheckRecord[];
      readonly captured: Readonly<Record<string, unknown>>;
      /** The reason why later steps are not tried. */
      readonly stopped?: Circumstance | undefined;
    };
