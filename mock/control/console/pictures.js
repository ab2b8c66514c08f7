/** The machines of a deployment as pictures, each with the state that the world is in marked. */
import { html, svg } from './html.js';

const WIDTH = 336;
const LINE = 16;
const MOST = 8;

/** A state: a box with its name, and under it who is in it. */
function stateBox({ x, y, width, height, name, members = [], never = false }) {
  const current = members.length > 0;
  const shown = members.length > MOST ? members.slice(0, MOST - 1) : members;
  const more = members.length - shown.length;
  const letters = Math.floor((width - 22) / 6.3);
  const line = (member, index) => memberLine(member, x + 10, y + 36 + index * LINE, letters);
  return svg`
    <g class="state${current && ' current'}${never && ' never'}">
      <rect x=${x} y=${y} width=${width} height=${height} rx="8" />
      <text x=${x + 10} y=${y + 18} class="name">${current && '● '}${name}</text>
      ${shown.map(line)}
      ${more > 0 && memberLine(`and ${more} more`, x + 10, y + 36 + shown.length * LINE, letters)}
    </g>`;
}

function memberLine(text, x, y, letters) {
  const short = text.length > letters ? `${text.slice(0, letters - 1)}…` : text;
  return svg`<text x=${x} y=${y}><title>${text}</title>${short}</text>`;
}

function heightFor(...lists) {
  return 30 + Math.max(1, ...lists.map((list) => Math.min(list.length, MOST))) * LINE;
}

/** A transition: a line through `x,y` points with a head at its end, and the event that takes it. */
function arrow(path, label, [x, y, anchor = 'middle'], kind = '') {
  const points = path.split(' ').map((point) => point.split(',').map(Number));
  const [tipX, tipY] = points.at(-1);
  const [fromX, fromY] = points.at(-2);
  const angle = Math.atan2(tipY - fromY, tipX - fromX);
  const wing = (turn) =>
    `${tipX - 8 * Math.cos(angle + turn)},${tipY - 8 * Math.sin(angle + turn)}`;
  return svg`
    <g class="arrow ${kind}">
      <polyline points=${path} />
      <polygon points="${tipX},${tipY} ${wing(0.45)} ${wing(-0.45)}" />
      <text x=${x} y=${y} text-anchor=${anchor}>${label}</text>
    </g>`;
}

function drawing(label, width, height, ...children) {
  return html`
    <svg
      role="img" aria-label=${label} class="machine"
      viewBox="0 0 ${width} ${height}" width=${width} height=${height}
    >${children}</svg>`;
}

function list(names) {
  return names.length === 0 ? 'none' : names.join(', ');
}

/** The rows of a table that belong to a deployment. */
function ofDeployment(rows, deploymentId) {
  return rows.filter((row) => row.deploymentId === deploymentId);
}

/** One picture for each kind of branch. STAGE-3 to STAGE-8: only a shared branch can be enabled. */
export function stagingPictures(state, deploymentId) {
  const branches = ofDeployment(state.branches, deploymentId);
  const linesOf = ({ id, name, stagingEnabled }) => {
    const environment = state.environments.find((row) => row.branchId === id);
    const own = stagingEnabled && environment !== undefined;
    return own ? [name, `↳ environment ${environment.id}`] : [name];
  };
  return ['shared', 'personal', 'production'].map((kind) => {
    const own = branches.filter((row) => row.kind === kind);
    const off = own.filter((row) => !row.stagingEnabled).flatMap(linesOf);
    const on = own.filter((row) => row.stagingEnabled).flatMap(linesOf);
    return { title: `${kind} branches`, picture: stagingPicture(kind, off, on) };
  });
}

function stagingPicture(kind, off, on) {
  const shared = kind === 'shared';
  const height = Math.max(66, heightFor(off, on));
  const y = 2;
  const name = shared ? 'enabled' : 'never enabled';
  const enabled = shared ? `Enabled: ${list(on)}.` : 'Enabling is refused.';
  return drawing(
    `Staging environment of ${kind} branches. Disabled: ${list(off)}. ${enabled}`,
    WIDTH,
    height + 4,
    stateBox({ x: 2, y, width: 132, height, name: 'disabled', members: off }),
    stateBox({ x: 202, y, width: 132, height, name, members: on, never: !shared }),
    shared && arrow('136,26 199,26', 'enable', [168, 20]),
    shared && arrow('200,52 137,52', 'disable', [168, 66]),
    !shared && arrow('136,32 199,32', 'refused', [168, 26], 'refused'),
  );
}

/** DBT-1, DBT-8: a job runs until it is completed or failed. */
export function dbtPicture(state, deploymentId) {
  const jobs = ofDeployment(state.dbtSyncs, deploymentId);
  const [running, completed, failed] = ['running', 'completed', 'failed'].map((name) =>
    jobs.filter((row) => row.state === name).map((row) => row.id),
  );
  const upper = heightFor(completed);
  const lower = heightFor(failed);
  const left = heightFor(running);
  const height = Math.max(upper + lower + 14, left);
  const y = 2 + (height - left) / 2;
  const from = y + left / 2;
  const second = upper + 16;
  return drawing(
    `dbt sync jobs. Running: ${list(running)}. Completed: ${list(completed)}. Failed: ${list(failed)}.`,
    WIDTH,
    height + 4,
    stateBox({ x: 2, y, width: 126, height: left, name: 'running', members: running }),
    stateBox({ x: 202, y: 2, width: 132, height: upper, name: 'completed', members: completed }),
    stateBox({ x: 202, y: second, width: 132, height: lower, name: 'failed', members: failed }),
    arrow(`130,${from - 6} 199,${2 + upper / 2}`, 'complete', [152, 16]),
    arrow(`130,${from + 6} 199,${second + lower / 2}`, 'fail', [158, height - 4]),
  );
}

/** VER-3 to VER-9: the heads of the channels and what the account has run; what runs is marked. */
export function versionsPicture(state, deploymentId) {
  const runs = state.deployments.find((row) => row.id === deploymentId)?.runs;
  const lanes = state.channels.map(({ name, head }) => {
    const ran = state.ran.filter((row) => row.channel === name).map((row) => row.version);
    const versions = [...new Set([head, ...ran])].toSorted((a, b) =>
      b.localeCompare(a, 'en', { numeric: true }),
    );
    return { name, head, ran, versions };
  });
  const width = Math.max(WIDTH, lanes.length * 172 - 8);
  const height = 26 + Math.max(1, ...lanes.map(({ versions }) => versions.length)) * 58;
  const words = lanes.map(
    ({ name, head, versions }) => `channel ${name}: head ${head}, listed ${versions.join(', ')}`,
  );
  return drawing(
    `Versions. Deployment ${deploymentId} runs ${runs}. ${words.join('; ')}.`,
    width,
    height,
    lanes.map((lane, index) => versionLane(lane, 2 + index * 172, runs)),
  );
}

function versionLane({ name, head, ran, versions }, x, runs) {
  const box = (version, index) => {
    const now = runs === `${name}@${version}`;
    const y = 26 + index * 58;
    const facts = [version === head && 'head', ran.includes(version) && 'run before'];
    return svg`
      <g class="state${now && ' current'}">
        <rect x=${x} y=${y} width="160" height="46" rx="8" />
        <text x=${x + 10} y=${y + 19} class="name">${now ? `● ${version} runs now` : version}</text>
        <text x=${x + 10} y=${y + 36}>${facts.filter(Boolean).join(', ')}</text>
      </g>`;
  };
  return svg`<text x=${x + 2} y="16" class="lane">${name}</text>${versions.map(box)}`;
}

/** The folders of a deployment, by position below their parent. */
export function folderPicture(state, deploymentId) {
  const folders = ofDeployment(state.folders, deploymentId);
  const lines = [];
  const walk = (parentId, depth) => {
    const children = folders.filter((row) => row.parentId === parentId);
    for (const folder of children.toSorted((a, b) => a.position - b.position)) {
      if (lines.some(({ id }) => id === folder.id)) continue;
      lines.push({ ...folder, depth });
      walk(folder.id, depth + 1);
    }
  };
  walk(null, 0);
  const words = lines.map(
    ({ name, id, parentId }) => `${name} (${id})${parentId === null ? '' : ` in ${parentId}`}`,
  );
  return drawing(
    `Folder tree: ${list(words)}.`,
    WIDTH,
    Math.max(1, lines.length) * 40 + 4,
    lines.length === 0 && svg`<text x="4" y="18">no folder</text>`,
    lines.map((folder, index) =>
      folderLine(
        folder,
        index,
        lines.findIndex(({ id }) => id === folder.parentId),
      ),
    ),
  );
}

function folderLine({ id, name, position, depth }, index, parent) {
  const x = 2 + depth * 24;
  const y = 2 + index * 40;
  const branch = `${x - 12},${parent * 40 + 34} ${x - 12},${y + 16} ${x},${y + 16}`;
  const letters = Math.floor((WIDTH - x - 24) / 6.3);
  return svg`
    ${parent >= 0 && svg`<g class="arrow"><polyline points=${branch} /></g>`}
    <g class="state">
      <rect x=${x} y=${y} width=${WIDTH - 4 - x} height="32" rx="8" />
      ${memberLine(`${name}  ·  ${id}, position ${position}`, x + 10, y + 20, letters)}
    </g>`;
}

/** RECIP-5 to RECIP-12: not subscribed, or subscribed; and what the same call again does. */
export function recipientsPicture(state, notificationId) {
  const names = state.recipients
    .filter((row) => row.notificationId === notificationId)
    .map((row) => recipientName(state, row));
  const height = Math.max(64, heightFor(names));
  const again = 'changed: updated; same: unchanged';
  return drawing(
    `Recipients of notification ${notificationId}. Subscribed: ${list(names)}.`,
    WIDTH,
    height + 90,
    svg`
      <g class="state">
        <rect x="2" y="44" width="84" height="46" rx="8" />
        <text x="12" y="64" class="name">not sub-</text>
        <text x="12" y="80" class="name">scribed</text>
      </g>`,
    stateBox({ x: 152, y: 44, width: 182, height, name: 'subscribed', members: names }),
    arrow('88,66 149,66', 'created', [119, 59]),
    arrow('186,42 186,22 300,22 300,41', again, [334, 14, 'end']),
    svg`
      <g class="arrow refused">
        <text x="2" y=${height + 66}>If one recipient cannot be resolved, or is a SLACK recipient,</text>
        <text x="2" y=${height + 82}>the call is refused and nobody is subscribed.</text>
      </g>`,
  );
}

function recipientName({ users, embedUsers }, { kind, subject }) {
  const byId = (row) => row.id === subject;
  if (kind === 'USER') return users.find(byId)?.email ?? `user ${subject}`;
  if (kind === 'EMAIL') return String(subject);
  const user = embedUsers.find(byId);
  return user === undefined
    ? `embed user ${subject}`
    : `${user.externalId} of ${user.embedTenantName}`;
}
