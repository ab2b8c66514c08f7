/**
 * The certificate: one HTML file that needs no network and no script.
 *
 * It serves three readers, in this order: a manager, an engineer, and somebody who verifies it.
 * Everything from the target is text: `html` escapes it, and the page's policy forbids scripts,
 * frames and requests. `verify` makes the page again and compares it, so nothing in it may depend
 * on the machine.
 */

import { notice, type Report } from '../../conformance/judge/report.ts';
import { failsRun } from '../../conformance/judge/verdict.ts';
import { html, when } from '../../spec/base/html.ts';
import { readExchanges } from '../exchanges.ts';
import { brokenStatements } from '../findings.ts';
import { outcome } from '../outcome.ts';
import { page } from '../page.ts';
import type { EvidenceText } from '../write.ts';
import { appendix, latencies } from './certificate-appendix.ts';
import { broken } from './certificate-broken.ts';
import { facts, front, legend, nameOf } from './certificate-front.ts';
import { notCovered } from './certificate-gaps.ts';
import { picture, statementsByArea } from './certificate-statements.ts';
import { certificateStyle } from './certificate-style.ts';

export function certificateHtml(report: Report, evidence: readonly EvidenceText[]): string {
  const exchanges = readExchanges(evidence);
  const fails = brokenStatements(report).some((item) => failsRun(item, report.options));
  const title = `${outcome(report).word}: ${nameOf(report)} – Lockstep certificate`;
  const body = html`${when(fails, () => html`<a class="skip" href="#broken">Go to what is broken</a>`)}
<a class="skip" href="#statements">Go to the statements</a>
${front(report)}
<main id="main">
${broken(report, exchanges)}
${facts(report, exchanges)}
<section aria-labelledby="picture"><h2 id="picture">All ${report.statements.length} statements of the description</h2>
${picture(report)}
${legend}</section>
${notCovered(report)}
${latencies(report)}
${statementsByArea(report)}
${appendix(report)}
</main>
<footer class="small soft">Made by Lockstep ${report.suite.version} from <a href="report.json">report.json</a> and the evidence next to it. Check it with <code>npx --no-install lockstep verify</code> and the folder of these files. ${notice}</footer>`;
  return page(title, body, certificateStyle);
}
