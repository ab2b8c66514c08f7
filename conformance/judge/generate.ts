/** Writes the rules of evidence into conformance/README.md; with `--check` only compares. */
import { textOf, withRegion, writeGenerated } from '../../spec/write-generated.ts';
import { rulesTable } from './rules-of-evidence.ts';

const readme = 'conformance/README.md';
writeGenerated({ [readme]: withRegion(textOf(readme), 'rules', rulesTable()) });
