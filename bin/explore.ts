/** `lockstep explore`: random walks over the promises; a failure becomes a scenario file. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newRunId, openLedger } from '../conformance/commands/command.ts';
import { mustAgree } from '../conformance/commands/consent.ts';
import { openTarget } from '../conformance/commands/open-target.ts';
import type { CertifyOptions } from '../conformance/commands/options.ts';
import { exploredAreas } from '../lab/explorer/areas/explored.ts';
import { type Exploration, type ExploreOptions, explore } from '../lab/explorer/explore.ts';
import { leftText } from '../reports/findings.ts';
import { print, redactor } from '../reports/terminal.ts';
import { visible } from '../spec/base/visible.ts';
import { contract, statement } from '../spec/contract.ts';
import { surroundings } from './runner.ts';

export type ExploreCommand = CertifyOptions &
  Pick<ExploreOptions, 'runs' | 'steps' | 'writeBudget' | 'path'>;

/** Walks, prints the findings, writes the scenario file; resolves to the exit code. */
export async function runExplore(command: ExploreCommand): Promise<number> {
  const io = surroundings();
  const names = { id: newRunId(), startedAt: new Date().toISOString() };
  const { target } = await openTarget(command, io);
  try {
    const isMock = target.kind === 'mock';
    if (!isMock)
      await mustAgree(command, target.baseUrl, `up to ${command.writeBudget ?? 200} writes`, io);
    const done = await explore(
      {
        ...command,
        seed: command.seed ?? Math.floor(Math.random() * 2 ** 31),
        allow: command.allow ?? (isMock ? 'permanent' : 'none'),
      },
      {
        ...io,
        target,
        areas: exploredAreas,
        names,
        fresh: isMock ? async () => (await openTarget(command, io)).target : undefined,
        openLedger: isMock ? undefined : () => openLedger(command, io, target, names),
      },
    );
    return tell(done, command.out ?? join('reports', 'out', names.id));
  } finally {
    await target.close().catch(() => undefined);
  }
}

function tell(done: Exploration, out: string): number {
  const { finding, called } = done;
  const write = (line: string) => print(`${visible(line)}\n`);
  write(`seed ${done.seed}: ${done.walks} walks, ${done.steps} calls, ${done.writes} writes`);
  for (const item of done.leftBehind) write(leftText(item));
  for (const warning of done.warnings) write(`warning  ${warning}`);
  if (done.stopped !== undefined) write(`stopped early: ${done.stopped}`);
  const uncalled = [...contract.operations.keys()].filter((id) => !called.has(id));
  if (done.steps > 0 && uncalled.length > 0) write(`never called  ${uncalled.join(', ')}`);
  for (const { statement, because } of done.unconfirmed) {
    write(`seen once, not again: ${statement}: ${because}`);
  }
  if (finding === undefined) {
    write('nothing found');
    return done.exitCode;
  }
  mkdirSync(out, { recursive: true });
  const file = join(out, finding.scenario.name);
  writeFileSync(file, redactor.text(finding.scenario.text));
  write(`FOUND  ${finding.statement}  ${statement(finding.statement).text}`);
  write(`  but      ${finding.because}`);
  for (const call of finding.calls) write(`  call     ${call}`);
  write(`  again    lockstep explore --seed ${done.seed} --path ${finding.path} ...`);
  write(`  scenario ${file}`);
  return done.exitCode;
}
