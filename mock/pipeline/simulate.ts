/** Answers made from a description alone. */
import { named, type Operation } from '../../spec/contract.ts';
import { type Decision, type Exchange, refuse } from './decision.ts';
import { type ExchangeRequest, isRefusal, refusal } from './exchange.ts';

/** Whether a Prefer header (RFC 7240) asks for one. */
export function asksForSimulation({ headers }: ExchangeRequest): boolean {
  return headers.prefer !== undefined && /(?:^|[\s,;])(code|example|dynamic)=/.test(headers.prefer);
}

export async function simulate(
  exchange: Exchange,
  operation: Operation | undefined,
): Promise<Decision> {
  const { options, route: path, request, query } = exchange;
  const result = await options.simulate?.({ request, path, query, operation });
  const origin = 'simulated';
  if (result !== undefined && !isRefusal(result)) return { reply: result, refusal: null, origin };
  const missing = 'Answers made from a description alone are not switched on';
  return refuse(exchange, result ?? refusal(501, named.unknownPath, missing), { origin });
}
