/** The journal of a world as HAR 1.2. */

import { STATUS_CODES } from '../../spec/base/builtins.ts';
import { type HarPair, harEntry, harLog } from '../../spec/base/har.ts';
import { version } from '../../spec/base/version.ts';
import { tellFault } from '../pipeline/explain.ts';
import type { JournalEntry } from '../world/journal.ts';
import type { World } from '../world/world.ts';
import { faultRecord } from './journal-record.ts';
import { redact, redactAll, redactBody, redactHeaders } from './redact.ts';

export function har(world: World) {
  return harLog(
    world.journal.list().map((entry) => journalEntry(world, entry)),
    version,
  );
}

function journalEntry(world: World, entry: JournalEntry) {
  const { status, requestBody: sent, responseBody, responseHeaders } = entry;
  const { fault, refusal, headers, watched } = entry;
  const origin = watched?.origin ?? `http://${headers.host ?? 'localhost'}`;
  const search = entry.query === '' ? '' : `?${redact(world, entry.query)}`;
  const mimeType = headers['content-type'] ?? '';
  const answered = {
    size: Buffer.byteLength(responseBody ?? ''),
    mimeType: responseHeaders['Content-Type'] ?? responseHeaders['content-type'] ?? '',
    ...(responseBody === null ? {} : { text: redactBody(world, responseBody) }),
    ...(fault?.cut === undefined ? {} : { comment: 'cut: half of it was sent' }),
  };
  return {
    ...harEntry({
      startedAt: entry.at,
      durationMs: watched?.durationMs ?? 0,
      method: entry.method,
      url: `${origin}${redact(world, entry.path)}${search}`,
      headers: pairs(redactHeaders(world, headers)),
      postData: sent === null ? undefined : { mimeType, text: redactBody(world, sent) },
      status,
      statusText: STATUS_CODES[status] ?? '',
      answerHeaders: status === 0 ? [] : pairs(redactHeaders(world, responseHeaders)),
      content: status === 0 ? { size: 0, mimeType: '' } : answered,
      redirectUrl: '',
    }),
    comment: commentOn(world, entry),
    ...(refusal === null ? {} : { _refusal: redactAll(world, refusal) }),
    ...(fault === null ? {} : { _fault: faultRecord(fault) }),
  };
}

function commentOn(world: World, { operation, credential, refusal, fault }: JournalEntry): string {
  return [
    `${operation ?? 'no operation'} as ${credential ?? 'nobody'}`,
    ...(refusal === null ? [] : [`refused: ${redact(world, refusal.message)}`]),
    ...(fault === null ? [] : [tellFault(fault)]),
  ].join('; ');
}

function pairs(headers: Record<string, string>): HarPair[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}
