/** The sum of the leniency exam's table. In a file of its own, as certificates need no variants. */
import { hash } from 'node:crypto';
import type { Exam } from '../../conformance/judge/report.ts';

/** For the certificates of the suite that the table is about. */
export function honestFigure(table: string): NonNullable<Exam['honest']> {
  const [, services, refused] = /^(\d+) honest services: (\d+) refused/m.exec(table) ?? [];
  if (services === undefined) throw new Error('honest.md does not say how the exam came out');
  return { sha256: hash('sha256', table), services: Number(services), refused: Number(refused) };
}
