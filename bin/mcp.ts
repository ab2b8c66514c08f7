/** `lockstep mcp`: for a mock that runs, or for one of its own. */
import { originOf } from '../mock/cli/env-command.ts';
import { serveMcp } from '../mock/cli/mcp.ts';
import { checkHealth, controlOver, type MockAddress } from '../mock/cli/mock-client.ts';
import { startMock } from '../mock/kits/index.ts';

/** Rejects with Refused or NotThere. */
export async function runMcp(address: MockAddress | undefined): Promise<void> {
  if (address !== undefined) {
    const mock = { ...address, baseUrl: originOf(address.baseUrl) };
    await checkHealth(mock);
    return serveMcp(controlOver(mock), mock.baseUrl);
  }
  await using mock = await startMock();
  await serveMcp(controlOver(mock), mock.baseUrl);
}
