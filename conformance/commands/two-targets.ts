/** The same scenarios on two targets, one after the other. */

import { Refused } from '../../spec/base/refused.ts';
import type { TargetRun } from '../compare/targets.ts';
import { certify } from './command.ts';
import { openTarget } from './open-target.ts';
import type { CertifyOptions, CommandIo } from './options.ts';

export interface BothOptions extends Pick<CertifyOptions, 'allow' | 'tenant'> {
  readonly baseUrl: string;
  readonly against: string;
}

/** The tenant file is that of what is no mock. Where one is no mock, `allow` holds for both, so that both are asked the same. */
export async function certifyBoth(options: BothOptions, io: CommandIo) {
  const { against, baseUrl, tenant } = options;
  const mocks = [await isMock(baseUrl, io), await isMock(against, io)];
  const allMocks = mocks.every((mock) => mock);
  if (tenant !== undefined && allMocks) {
    throw new Refused('--tenant: both targets are mocks, which need no tenant file');
  }
  const allow = options.allow ?? (allMocks ? 'permanent' : 'none');
  const run = async (url: string, mock = false): Promise<TargetRun> => {
    try {
      return await certify({ allow, baseUrl: url, tenant: mock ? undefined : tenant }, io);
    } catch (error) {
      if (error instanceof Error) error.message = `${url}: ${error.message}`;
      throw error;
    }
  };
  return { a: await run(baseUrl, mocks[0]), b: await run(against, mocks[1]) };
}

async function isMock(baseUrl: string, io: CommandIo): Promise<boolean> {
  const { target } = await openTarget({ baseUrl }, io);
  await target.close();
  return target.kind === 'mock';
}
