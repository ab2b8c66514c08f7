import { authorisationFamily } from './authorisation.ts';
import { loadSuite, readScenarioFiles } from './load.ts';
import type { Suite } from './scenario.ts';

/** The suite that comes with Lockstep. Throws LoadError. */
export function loadOwnSuite(): Suite {
  const { scenarios, digest } = authorisationFamily();
  return loadSuite(readScenarioFiles(), scenarios, digest);
}
