/** A report whose texts try to break out of every format. */

import type { Report } from '../../conformance/judge/report.ts';
import { sampleReport, sampleTarget } from './sample-report.ts';

/** Text that tries to break out of HTML, XML, Markdown, terminals, workflow commands and paths. */
export const hostileTexts: readonly string[] = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  ']]><failure/>&amp;&#x0;',
  '\u001b[2J\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007',
  'a\u0000b\u0008c\u007f\u0085\ufffe\uffff\ud800',
  '\u202egnp.exe\u2066',
  '::error file=x,line=1::forged\n::set-output name=x::y%0A::warning::z',
  '`code` | pipe | **bold** [x](javascript:alert(1)) @everyone <b>\n# heading',
  '</style></title><svg/onload=alert(1)>',
  '\r\nlate line',
  `${'long '.repeat(2000)}end`,
];

/** A report in which every text that a target or a file could supply is hostile. */
export function hostileReport(): Report {
  let turn = 0;
  const hostile = (): string => hostileTexts[turn++ % hostileTexts.length] ?? '';
  const base = sampleReport();
  const scenarios = base.scenarios.map((item, index) => ({
    ...item,
    scenario: `${index} ${hostile()}`,
    ...(item.reason === undefined ? {} : { reason: hostile() }),
  }));
  const renamed = new Map(
    base.scenarios.map((item, index) => [item.scenario, scenarios[index]?.scenario ?? '']),
  );
  const statements = base.statements.map((item) => ({
    ...item,
    ...(item.reason === undefined ? {} : { reason: hostile() }),
    checks: item.checks.map((check) => ({
      ...check,
      scenario: renamed.get(check.scenario) ?? hostile(),
      step: hostile(),
      reason: hostile(),
      expected: hostile(),
      actual: { [hostile()]: [hostile()] },
      pointer: `/body/${hostile()}`,
      location: { ...check.location, file: `${check.location.file}${hostile()}` },
      evidence: [hostile(), 'javascript:alert(1)', 'evidence/../../x.har#1'],
    })),
  }));
  return {
    ...base,
    scenarios,
    statements,
    target: sampleTarget(`https://x.example/${hostile()}`),
    preflight: [{ name: hostile(), kind: 'binding', message: hostile() }],
    observations: base.observations.map((item) => ({
      ...item,
      value: hostile(),
      ...(item.choice === undefined ? {} : { choice: hostile() }),
    })),
    plan: base.plan.map((item) => ({ ...item, object: hostile(), actor: hostile() })),
    warnings: hostileTexts,
  };
}
