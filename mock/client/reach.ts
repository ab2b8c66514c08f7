/** Which broken promises a client would meet: its requests are made again, and the mock counts. */
import type { SentRequest } from '../kits/campaign-judge.ts';
import { targetOf } from '../kits/campaign-judge.ts';
import type { RunWorld } from './run-world.ts';
import type { ToldDeviation } from './variation.ts';

/** Headers that belong to the connection, or are made anew. */
const ofTheConnection =
  /^(host|connection|content-length|transfer-encoding|authorization|upgrade|expect)$/i;

/** Those of the deviations that take effect if these requests are made; `open` makes a world. */
export async function reachedBy(
  sent: readonly SentRequest[],
  deviations: readonly ToldDeviation[],
  open: () => Promise<RunWorld>,
  jobs: number,
): Promise<readonly ToldDeviation[]> {
  const called = new Set<string>(sent.map(({ operation }) => operation));
  const queue = deviations.filter(({ operations }) => operations.some((id) => called.has(id)));
  const reached = new Set<ToldDeviation>();
  const items = queue.values();
  const workers = Array.from({ length: jobs }, async () => {
    const world = await open();
    for (const deviation of items) {
      await world.deviate(deviation.id);
      for (const request of sent) await repeat(request, world);
      if ((await world.effects()) > 0) reached.add(deviation);
      await world.reset();
    }
    await world.close();
  });
  await Promise.all(workers);
  return queue.filter((deviation) => reached.has(deviation));
}

async function repeat(request: SentRequest, { baseUrl, credentials }: RunWorld): Promise<void> {
  const { method, headers, credential, requestBody } = request;
  const own = Object.entries(headers).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !ofTheConnection.test(entry[0]),
  );
  const secret = credentials[credential ?? ''];
  const answer = await fetch(`${baseUrl}${targetOf(request)}`, {
    method,
    headers: [...own, ...(secret === undefined ? [] : [['authorization', `Bearer ${secret}`]])] as [
      string,
      string,
    ][],
    body: method === 'GET' || method === 'HEAD' ? null : requestBody,
  }).catch(() => undefined);
  await answer?.arrayBuffer().catch(() => undefined);
}
