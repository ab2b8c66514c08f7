/**
 * The certificate: one HTML file that needs no network and no script.
 *
 * First what a manager needs, then statement by statement what an engineer needs, then what a
 * re-checker needs. Everything that came from the target is text: `html` escapes it, and the
 * page's own policy forbids scripts, frames and requests.
 */

import type { Report } from '../../conformance/judge/report.ts';
import { html } from '../../spec/base/html.ts';
import type { Contract } from '../../spec/contract.ts';
import { outcome } from '../outcome.ts';
import { cut } from '../text.ts';
import { appendix } from './certificate-appendix.ts';
import { front, overview } from './certificate-front.ts';
import { statementsByArea } from './certificate-statements.ts';
import { certificateStyle } from './certificate-style.ts';

/** Of the contract: names of areas, and the mock's assumption and alternatives at each silence. */
export function certificateHtml(
  report: Report,
  contract: Pick<Contract, 'areas' | 'statements'>,
): string {
  const style = { html: certificateStyle };
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${outcome(report).word}: ${cut(report.target.baseUrl, 300)} – Lockstep certificate</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#statements">Go to the statements</a>
${front(report)}
<main id="main">
${overview(report)}
${statementsByArea(report, contract)}
${appendix(report)}
</main>
<footer class="small soft">Made by Lockstep ${report.suite.version} from <a href="report.json">report.json</a>. A statement is verified only if all of its checks are, and in part if some could not be tried. What could not be tried is a gap, never a pass. Silences of the description are observed; a target never fails on them.</footer>
</body>
</html>
`;
  return page.html;
}
