/** The page at /__admin/: the worlds there are, and the way to everything else. */
import type { Service } from '../service.ts';
import { escapeHtml, page } from './page.ts';

export function homePage(service: Service): string {
  const rows = [...service.worlds.values()].map((world) => {
    const path = `/__admin/worlds/${world.id}`;
    const links = ['state', 'requests', 'assumptions', 'faults', 'coverage', 'deviations'];
    return `<tr><td><code>${world.id}</code><td>${escapeHtml(world.fixture)}<td>${new Date(world.clock.now()).toISOString()}${world.clock.frozen ? ', standing still' : ''}<td>${world.journal.recorded}<td>${links.map((link) => `<a href="${path}/${link}">${link}</a>`).join(' ')}`;
  });
  return page(
    'Lockstep',
    `<h1>Lockstep</h1>
<p>A mock of the management API. <a href="/__admin/docs">What it serves, statement by statement</a>,
<a href="/__admin/openapi.json">the control API</a>, <a href="/__admin/coverage">what has been called</a>.</p>
<h2>Worlds</h2>
<table><thead><tr><th>World<th>Fixture<th>Time<th>Requests<th></thead><tbody>${rows.join('\n')}</tbody></table>
<p>Make one: <code>POST /__admin/worlds {"fixture": "acme"}</code></p>`,
  );
}
