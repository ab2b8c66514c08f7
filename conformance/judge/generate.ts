/** Writes the rules of evidence into conformance/README.md; with `--check` only compares. */
import { committedText, withRegion, writeGenerated } from '../../spec/write-generated.ts';
import { rulesTable } from './rules-of-evidence.ts';

const readme = 'conformance/README.md';
writeGenerated({ [readme]: withRegion(committedText(readme), 'rules', rulesTable()) });
