/** Derives a report again from its evidence, as `lockstep verify` does, without the other files. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verify } from '../commands/verify.ts';
import type { Report } from '../judge/report.ts';
import type { Suite } from '../language/scenario.ts';

/** What a run or a night made. A night that could not run has made nothing, and nothing can be derived. */
interface Made {
  readonly report?: Report | undefined;
  readonly evidence?: readonly { readonly file: string; readonly text: string }[] | undefined;
}

export async function derived({ report, evidence = [] }: Made, suite: Suite) {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-derived-'));
  try {
    mkdirSync(join(folder, 'evidence'));
    for (const { file, text } of evidence) writeFileSync(join(folder, file), text);
    writeFileSync(join(folder, 'report.json'), JSON.stringify(report ?? null));
    return await verify(folder, { suite });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
