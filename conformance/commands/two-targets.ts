/** The same scenarios on two targets, one after the other. */

import { Refused } from '../../spec/base/refused.ts';
import type { TargetRun } from '../compare/targets.ts';
import { type Certified, certify, failureOf } from './command.ts';
import { openTarget } from './open-target.ts';
import type { CertifyOptions, CommandIo } from './options.ts';

export interface BothOptions extends Pick<CertifyOptions, 'allow' | 'tenant'> {
  readonly baseUrl: string;
  readonly against: string;
}

export type Both =
  | { readonly a: TargetRun; readonly b: TargetRun }
  | Pick<Certified, 'exitCode' | 'message'>;

/** The tenant file is that of what is no mock. Where one is no mock, `allow` holds for both, so that both are asked the same. */
export async function certifyBoth(options: BothOptions, io: CommandIo): Promise<Both> {
  const { against, baseUrl, tenant } = options;
  try {
    const mocks = [await isMock(baseUrl, io), await isMock(against, io)];
    const allMocks = mocks.every((mock) => mock);
    if (tenant !== undefined && allMocks) {
      throw new Refused('--tenant: both targets are mocks, which need no tenant file');
    }
    const allow = options.allow ?? (allMocks ? 'permanent' : 'none');
    const run = async (url: string, mock = false): Promise<TargetRun | Certified> => {
      const given = { allow, baseUrl: url, tenant: mock ? undefined : tenant };
      const { report, evidence = [], exitCode, message = '' } = await certify(given, io);
      if (report === undefined) return { exitCode, message: `${url}: ${message}` };
      return { report, evidence: evidence.map(({ text }) => text) };
    };
    const a = await run(baseUrl, mocks[0]);
    if ('exitCode' in a) return a;
    const b = await run(against, mocks[1]);
    return 'exitCode' in b ? b : { a, b };
  } catch (error) {
    return failureOf(error);
  }
}

async function isMock(baseUrl: string, io: CommandIo): Promise<boolean> {
  const { target } = await openTarget({ baseUrl }, io);
  await target.close();
  return target.kind === 'mock';
}
