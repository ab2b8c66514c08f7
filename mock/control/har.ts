/** The journal of a world as HAR 1.2. */
import { STATUS_CODES } from 'node:http';
import { version } from '../../spec/base/version.ts';
import { tellFault } from '../pipeline/explain.ts';
import type { JournalEntry } from '../world/journal.ts';
import type { World } from '../world/world.ts';
import { faultRecord } from './journal-record.ts';
import { redact, redactAll, redactHeaders } from './redact.ts';

export function har(world: World): Record<string, unknown> {
  return {
    log: {
      version: '1.2',
      creator: { name: 'lockstep', version },
      entries: world.journal.list().map((entry) => {
        const requestText =
          entry.requestBody === undefined ? '' : new TextDecoder().decode(entry.requestBody);
        const query = new URLSearchParams(redact(world, entry.query));
        const search = entry.query === '' ? '' : `?${redact(world, entry.query)}`;
        return {
          startedDateTime: new Date(entry.at).toISOString(),
          time: 0,
          request: {
            method: entry.method,
            url: `http://${entry.headers.host ?? 'localhost'}${redact(world, entry.path)}${search}`,
            httpVersion: 'HTTP/1.1',
            cookies: [],
            headers: pairs(redactHeaders(world, entry.headers)),
            queryString: [...query].map(([name, value]) => ({ name, value })),
            headersSize: -1,
            bodySize: Buffer.byteLength(requestText),
            ...(requestText === ''
              ? {}
              : {
                  postData: {
                    mimeType: entry.headers['content-type'] ?? '',
                    text: redact(world, requestText),
                  },
                }),
          },
          response: {
            ...(entry.status === 0 ? NO_ANSWER : answerOf(world, entry)),
            redirectURL: '',
            headersSize: -1,
            bodySize: -1,
          },
          cache: {},
          timings: { send: 0, wait: 0, receive: 0 },
          comment: commentOn(world, entry),
          ...(entry.refusal === null ? {} : { _refusal: redactAll(world, entry.refusal) }),
          ...(entry.fault === null ? {} : { _fault: faultRecord(entry.fault) }),
        };
      }),
    },
  };
}

/** A browser's HAR has it so, too. */
const NO_ANSWER = {
  status: 0,
  statusText: '',
  httpVersion: '',
  cookies: [],
  headers: [],
  content: { size: 0, mimeType: '' },
};

function answerOf(world: World, entry: JournalEntry) {
  const { status, responseBody, responseHeaders, fault } = entry;
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(redactHeaders(world, responseHeaders)),
    content: {
      size: Buffer.byteLength(responseBody ?? ''),
      mimeType: responseHeaders['Content-Type'] ?? '',
      ...(responseBody === null ? {} : { text: redact(world, responseBody) }),
      ...(fault?.cut === undefined ? {} : { comment: 'cut: half of it was sent' }),
    },
  };
}

function commentOn(world: World, { operation, credential, refusal, fault }: JournalEntry): string {
  return [
    `${operation ?? 'no operation'} as ${credential ?? 'nobody'}`,
    ...(refusal === null ? [] : [`refused: ${redact(world, refusal.message)}`]),
    ...(fault === null ? [] : [tellFault(fault)]),
  ].join('; ');
}

function pairs(headers: Record<string, string>): { name: string; value: string }[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}
