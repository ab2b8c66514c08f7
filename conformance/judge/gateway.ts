/**
 * Answers that a gateway in front of the service may give in its own words. The description promises
 * nothing of them, so one of them alone breaks no promise.
 */

/** They are always a gateway's: nothing of the service can be judged by them. */
export const gatewayStatuses: readonly number[] = [429, 502, 503, 504];

const oddRefusals: readonly number[] = [405, 408, 413, 414, 415, 421, 425, 431];

/** Whether a gateway may have answered. It counts as the service's answer if it comes again. */
export function mayBeGateway(status: number): boolean {
  const redirects = status >= 300 && status < 400;
  return redirects || status >= 500 || status === 429 || oddRefusals.includes(status);
}
