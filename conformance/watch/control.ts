/** The control API of the proxy, under the same path as a mock's: this machine only, unless a token is set. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { isToken } from '../../spec/base/control-client.ts';
import { isLoopback } from '../target/target.ts';
import { answerJson } from './pass-through.ts';
import type { Watcher } from './watcher.ts';

const root = '/__admin';

export interface ControlOptions {
  readonly version: string;
  readonly token: string | undefined;
}

/** Answers a request for the control API; false if it is none. */
export function control(
  { url = '', method, headers, socket }: IncomingMessage,
  response: ServerResponse,
  watcher: Pick<Watcher, 'journal' | 'report'>,
  { version, token }: ControlOptions,
): boolean {
  const [path = '', query = ''] = url.split('?');
  if (path !== root && !path.startsWith(`${root}/`)) return false;
  const place = path.slice(root.length + 1);
  const answer = (status: number, body: unknown): true => {
    answerJson(response, status, body);
    return true;
  };
  const denied = place === 'health' ? undefined : whyDenied(headers, socket.remoteAddress, token);
  if (denied !== undefined) return answer(403, { error: denied });
  if (method !== 'GET') return answer(405, { error: 'the control API of the proxy is only read' });
  // The name differs from a mock's, as this server has no worlds to make.
  if (place === 'health') return answer(200, { name: 'lockstep-proxy', version, protocol: 1 });
  if (place === 'report') return answer(200, watcher.report());
  if (place === 'requests') {
    const limit = Number(new URLSearchParams(query).get('limit') ?? 100);
    return answer(200, {
      requests: watcher.journal.latest(Number.isInteger(limit) && limit > 0 ? limit : 100),
    });
  }
  const number = /^requests\/(\d+)$/.exec(place)?.[1];
  const entry = number === undefined ? undefined : watcher.journal.entry(Number(number));
  if (entry !== undefined) return answer(200, entry);
  const known = 'health, requests, requests/{n} and report';
  return answer(404, {
    error: `there is nothing at ${root}/${place}, or not any more; there is ${known}`,
  });
}

function whyDenied(
  headers: IncomingMessage['headers'],
  remote: string | undefined,
  token: string | undefined,
): string | undefined {
  const { host = '', origin } = headers;
  if (origin !== undefined && origin !== `http://${host}`)
    return `The Origin ${origin} is not this proxy`;
  if (token !== undefined) {
    const [sent] = [headers['lockstep-admin-token']].flat();
    if (isToken(sent, token)) return undefined;
    return 'The control API needs the Lockstep-Admin-Token header, with the token that this proxy was started with';
  }
  const isNear = isLoopback(`http://${host}`) && /^(::ffff:)?127\.|^::1$/.test(remote ?? '');
  return isNear
    ? undefined
    : 'Without an admin token the control API answers this machine only; set one with --admin-token-env';
}
