/** The measures of measures.yaml, and the options of a run. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Call } from './calls.ts';
import type { Figures, Rows } from './table.ts';

export interface Measure {
  readonly method: string;
  readonly short?: true;
  readonly calls?: readonly Call[];
  /** The name of a task in inside.ts. */
  readonly task?: string;
  readonly deployments?: number;
  /** Options of `lockstep certify`, by rows. */
  readonly certify?: Readonly<Record<string, readonly string[]>>;
  readonly rows: Rows;
}

export interface Effort {
  readonly rounds: number;
  readonly seconds: number;
  readonly requests: number;
  readonly short?: boolean | undefined;
  readonly peers?: string | undefined;
  readonly testSeconds?: number | undefined;
}

export type Method = (effort: Effort, measure: Measure) => Promise<Figures>;

export const known: {
  readonly servers: Readonly<Record<string, readonly string[]>>;
  readonly measures: Readonly<Record<string, Measure>>;
  readonly growths: Readonly<Record<string, { axis: string; why: string; at: readonly number[] }>>;
} = parse(readFileSync(new URL('measures.yaml', import.meta.url), 'utf8'), { merge: true });
