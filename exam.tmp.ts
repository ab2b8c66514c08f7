import { writeFileSync } from 'node:fs';
import { runExam } from './bin/exam.ts';

const r = await runExam(process.argv.slice(2));
const by: Record<string, number> = {};
for (const a of r.answers) by[a.outcome] = (by[a.outcome] ?? 0) + 1;
console.log(by, Math.round(r.durationMs), 'ms');
writeFileSync('/tmp/exam.json', JSON.stringify(r.answers, null, 1));
for (const a of r.answers)
  if (a.outcome !== 'killed') console.log(a.outcome, a.id, a.stray.join(' '));
