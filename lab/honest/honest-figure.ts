/**
 * Reads the totals of the leniency exam's table. It is a separate file, so that certificates do not
 * load the variants.
 */
import { hash } from 'node:crypto';
import type { Exam } from '../../conformance/judge/report.ts';

/** The totals that certificates of the suite show. */
export function honestFigure(table: string): NonNullable<Exam['honest']> {
  const [, services, refused] = /^(\d+) honest services: (\d+) refused/m.exec(table) ?? [];
  if (services === undefined) throw new Error('honest.md does not say how the exam came out');
  return { sha256: hash('sha256', table), services: Number(services), refused: Number(refused) };
}
