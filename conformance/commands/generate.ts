/** Writes the tables of the runner's documents: rules of evidence, keys of a tenant file; `--check` only compares. */
import { committedText, withRegion, writeGenerated } from '../../spec/write-generated.ts';
import { rulesTable } from '../judge/rules-of-evidence.ts';
import { loadOwnSuite } from '../language/own-suite.ts';
import { keysTable } from '../language/tenant-keys.ts';

const [readme, guide] = ['conformance/README.md', 'conformance/TENANT.md'];
writeGenerated({
  [readme]: withRegion(committedText(readme), 'rules', rulesTable()),
  [guide]: withRegion(committedText(guide), 'keys', keysTable(loadOwnSuite().scenarios)),
});
