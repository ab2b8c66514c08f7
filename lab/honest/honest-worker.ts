/** A worker of the leniency exam: it certifies the tenants that it receives, one at a time. */
import { parentPort } from 'node:worker_threads';
import { answerAll } from '../exam/share-out.ts';
import { type Named, tenantOf } from './draw.ts';
import { type Answer, examineTenant } from './honest.ts';

if (parentPort !== null) {
  answerAll<Answer>(parentPort, (text) => examineTenant(tenantOf(JSON.parse(text) as Named)));
}
