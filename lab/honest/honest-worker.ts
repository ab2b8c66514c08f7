/** One core's share of the leniency exam: certifies the tenants that it is sent, one at a time. */
import { parentPort } from 'node:worker_threads';
import { answerAll } from '../exam/share-out.ts';
import { type Named, tenantOf } from './draw.ts';
import { type Answer, examineTenant } from './honest.ts';

if (parentPort !== null) {
  answerAll<Answer>(parentPort, (text) => examineTenant(tenantOf(JSON.parse(text) as Named)));
}
