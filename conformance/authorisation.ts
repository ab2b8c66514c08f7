import type { Scenario } from './scenario.ts';
export function authorisationFamily(): { scenarios: readonly Scenario[]; digest: string } {
  return { scenarios: [], digest: '' };
}
