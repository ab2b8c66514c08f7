/** Credentials that are missing, malformed or of another scheme, and are taken. */

import type { Deviation } from '../../../deviations/deviation.ts';
import { count } from '../../../deviations/transforms.ts';
import { isRefusal, refusal } from '../../../pipeline/exchange.ts';
import { admits, anyCaller, callerOf, fits, rowIn } from './asking.ts';
import { all } from './operations.ts';

const B64TOKEN = '[A-Za-z0-9._~+/-]+=*';

const malformed: readonly (readonly [
  name: string,
  what: string,
  header: RegExp,
  anybody?: 'anybody',
])[] = [
  ['without-scheme', 'A token without a scheme', new RegExp(`^${B64TOKEN}$`)],
  ['without-token', 'The scheme Bearer without a token', /^bearer\s*$/i, 'anybody'],
  ['of-another-scheme', 'A token of the scheme Basic', new RegExp(`^basic ${B64TOKEN}$`, 'i')],
  ['twice', 'A header with two tokens', new RegExp(`^bearer ${B64TOKEN},? +${B64TOKEN}$`, 'i')],
  ['in-quotes', 'A token in quotes', new RegExp(`^bearer "${B64TOKEN}"$`, 'i')],
];

export const form: readonly Deviation[] = [
  ...malformed.map(
    ([name, what, header, anybody]): Deviation => ({
      id: `credentials:malformed-${name}-accepted`,
      text: `${what} is taken for a credential.`,
      breaks: ['AUTH-3'],
      collateral: ['AUTH-14'],
      operations: all,
      authenticate: admits('AUTH-3', (asking) => {
        const sent = asking.request.headers.authorization ?? '';
        if (!header.test(sent)) return undefined;
        if (anybody === 'anybody') return anyCaller(asking);
        const row = rowIn(sent, asking.world);
        if (row === undefined || row.state !== 'active') return undefined;
        return fits(asking.operation, row.kind) ? callerOf(row, asking.world) : undefined;
      }),
    }),
  ),
  {
    id: 'credentials:missing-accepted-on-second-call',
    text: 'A request without a credential is refused once, and served from then on.',
    breaks: ['AUTH-1'],
    collateral: ['AUTH-14'],
    operations: all,
    authenticate: admits('AUTH-1', (asking) =>
      count(asking.memory, asking.operation.id) > 1 ? anyCaller(asking) : undefined,
    ),
  },
  {
    id: 'credentials:malformed-accepted-on-second-call',
    text: 'A malformed credential is refused once, and served from then on.',
    breaks: ['AUTH-3'],
    collateral: ['AUTH-14'],
    operations: all,
    authenticate: admits('AUTH-3', (asking) =>
      count(asking.memory, asking.request.headers.authorization ?? '') > 1
        ? anyCaller(asking)
        : undefined,
    ),
  },
  {
    id: 'credentials:api-key-scheme-works-once',
    text: 'The SCIM API takes the scheme Api-Key for one call, and refuses it from then on.',
    breaks: ['AUTH-12'],
    collateral: ['HTTP-2'],
    operations: ['listScimUsers'],
    authenticate: (result, { request, memory }) => {
      if (isRefusal(result) || !/^api-key /i.test(request.headers.authorization ?? '')) {
        return result;
      }
      return count(memory, 'calls') === 1
        ? result
        : refusal(401, 'AUTH-12', 'The scheme Api-Key is not taken');
    },
  },
];
