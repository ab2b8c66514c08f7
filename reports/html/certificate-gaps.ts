/** The gaps of the certificate: why each is there, and how to close it. */

import type { Report } from '../../conformance/judge/report.ts';
import { type Html, html, when } from '../../spec/base/html.ts';
import { gaps } from '../findings.ts';
import { atMost, count } from '../text.ts';
import { prose, statementLink } from './certificate-parts.ts';

export function notCovered(report: Report): Html {
  const found = uncovered(report).map(({ why, close, statements }) => {
    const lines = statements.map(({ id, text }) => html`<li>${statementLink(id)} ${text}</li>`);
    const more = (left: number): Html =>
      html`<li class="soft">and ${count(left, 'more statement')}: see below</li>`;
    return html`<li><p><b>${why}</b> <span class="close">${prose(close)}</span></p>
<ul class="small">${atMost(statementsShown, lines, more)}</ul></li>`;
  });
  const contradictions = report.preflight.map(
    ({ kind, name, message }) => html`<li>${kind} <code>${name}</code>: ${message}</li>`,
  );
  return html`
<section aria-labelledby="gaps"><h2 id="gaps">Not covered</h2>
${when(found.length === 0, () => html`<p>Nothing: the run tried every promise of the description.</p>`)}
${when(contradictions.length > 0, () => html`<p class="warning">The tenant file and the target contradict each other; one of them is wrong:</p><ul>${contradictions}</ul>`)}
<ul class="gaps">${found}</ul></section>`;
}

/** The limit is high enough to list every statement that no call can show. */
const statementsShown = 40;

/** `why` something is not covered, and what would `close` the gap. */
function uncovered(report: Report) {
  const byId = new Map(report.statements.map((item) => [item.id, item]));
  const known = (ids: readonly string[]) => ids.flatMap((id) => byId.get(id) ?? []);
  const left = report.statements.filter(
    ({ verdict, level }) => verdict === 'not-selected' && level !== 'silent',
  );
  return [
    ...gaps(report).map(({ reason, statements }) => ({ ...remedyFor(reason), statements })),
    {
      why: 'These were not part of this run.',
      close: 'Run without `--only`.',
      statements: left,
    },
    ...report.notApplicable.map(({ feature, statements }) => ({
      why: `The tenant file says that the feature ${feature} is off.`,
      close: `If the plan has it, write \`features: { ${feature}: true }\`.`,
      statements: known(statements),
    })),
    {
      why: 'No call of this API can show these.',
      close: 'They do not count as verified, and no run can change that.',
      statements: report.unobservable.flatMap(({ id, reason }) =>
        known([id]).map(({ text }) => ({ id, text: `${text} (${reason})` })),
      ),
    },
  ].filter(({ statements }) => statements.length > 0);
}

const tooLittle = 'The target holds too little to see it.';
const refused = 'An earlier call got an unexpected answer.';

/**
 * The way to close a gap, by the text of its reason. The first match is used. `why` replaces a
 * reason that names steps and references of the suite.
 */
const remedies: readonly (readonly [reason: RegExp, close: string, why?: string])[] = [
  [/not allowed: (?:needs --allow )?(\w+)/, 'Run with `--allow $1`.'],
  [/no credential `?(\w+)/, 'Name the credential `$1` in the tenant file.'],
  [/binds no (\w+)/, 'Bind `$1` in the tenant file.'],
  [/the binding (\w+) has no (\w+)/, 'Give the binding `$1` its `$2`.'],
  [/plain HTTP/, 'Certify over HTTPS: a mock serves it with `--tls`.'],
  [/^late: /, 'Wait longer: `--convergence 2m`.'],
  [/could not run|stopped answering/, 'Run again when the target answers.'],
  [
    /^the check needs \d|condition does not hold|nothing to/,
    'Bind objects that have more.',
    tooLittle,
  ],
  [/answered/, 'Find out why in the evidence of the scenario.', refused],
];

function remedyFor(reason: string) {
  const remedy = remedies.find(([pattern]) => pattern.test(reason));
  const [pattern, close = 'Look at the evidence of the scenario.', why] = remedy ?? [];
  const found = pattern?.exec(reason) ?? [];
  return {
    why: why ?? sentence(reason),
    close: close.replaceAll(/\$(\d)/g, (_whole, group: string) => found[Number(group)] ?? ''),
  };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
