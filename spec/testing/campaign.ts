/**
 * Campaigns run in a short form in `npm test`, and at full length in `npm run nightly`, which also
 * collects their figures in reports/trust.md.
 */
import { appendFileSync } from 'node:fs';

const figures = process.env.LOCKSTEP_NIGHTLY;

/** The size of a campaign: the first in `npm test`, the second at night. */
export function scaled(short: number, night: number): number {
  return figures === undefined ? short : night;
}

/** Records a figure of the campaign, such as the number of tried inputs. */
export function figure(campaign: string, name: string, value: number | string): void {
  if (figures !== undefined) {
    appendFileSync(figures, `${JSON.stringify({ campaign, name, value })}\n`);
  }
}
