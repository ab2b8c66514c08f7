/** The machines of a deployment as pictures, each with the state that the world is in marked. */
import { svg } from './dom.js';

const WIDTH = 336;
const LINE = 16;
const MOST = 8;

/** A state: a box with its name, and under it who is in it. */
function stateBox({ x, y, width, height, name, members = [], never = false }) {
  const current = members.length > 0;
  const shown = members.length > MOST ? members.slice(0, MOST - 1) : members;
  const more = members.length - shown.length;
  const letters = Math.floor((width - 22) / 6.3);
  return svg(
    'g',
    { class: `state${current ? ' current' : ''}${never ? ' never' : ''}` },
    svg('rect', { x, y, width, height, rx: 8 }),
    svg('text', { x: x + 10, y: y + 18, class: 'name' }, `${current ? '● ' : ''}${name}`),
    shown.map((member, index) => memberLine(member, x + 10, y + 36 + index * LINE, letters)),
    more > 0
      ? svg('text', { x: x + 10, y: y + 36 + shown.length * LINE }, `and ${more} more`)
      : null,
  );
}

function memberLine(text, x, y, letters) {
  const short = text.length > letters ? `${text.slice(0, letters - 1)}…` : text;
  return svg('text', { x, y }, svg('title', {}, text), short);
}

function heightFor(...lists) {
  return 30 + Math.max(1, ...lists.map((list) => Math.min(list.length, MOST))) * LINE;
}

/** A transition: a line with a head at its end, and the event that takes it. */
function arrow(points, label, at, kind = '') {
  const [tipX, tipY] = points.at(-1);
  const [fromX, fromY] = points.at(-2);
  const angle = Math.atan2(tipY - fromY, tipX - fromX);
  const wing = (turn) =>
    `${tipX - 8 * Math.cos(angle + turn)},${tipY - 8 * Math.sin(angle + turn)}`;
  return svg(
    'g',
    { class: `arrow ${kind}` },
    svg('polyline', { points: points.map((point) => point.join(',')).join(' ') }),
    svg('polygon', { points: `${tipX},${tipY} ${wing(0.45)} ${wing(-0.45)}` }),
    svg('text', { x: at[0], y: at[1], 'text-anchor': at[2] ?? 'middle' }, label),
  );
}

function drawing(label, width, height, ...children) {
  return svg(
    'svg',
    {
      role: 'img',
      'aria-label': label,
      class: 'machine',
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
    },
    children,
  );
}

function list(names) {
  return names.length === 0 ? 'none' : names.join(', ');
}

/** One picture for each kind of branch. STAGE-3 to STAGE-8: only a shared branch can be enabled. */
export function stagingPictures(state, deploymentId) {
  const branches = state.branches.filter((row) => row.deploymentId === deploymentId);
  const environmentOf = (branch) =>
    state.environments.find((row) => row.branchId === branch.id)?.id;
  return ['shared', 'personal', 'production'].map((kind) => {
    const own = branches.filter((row) => row.kind === kind);
    const linesOf = (branch) => {
      const environment = environmentOf(branch);
      return branch.stagingEnabled && environment !== undefined
        ? [branch.name, `↳ environment ${environment}`]
        : [branch.name];
    };
    const off = own.filter((row) => !row.stagingEnabled).flatMap(linesOf);
    const on = own.filter((row) => row.stagingEnabled).flatMap(linesOf);
    const height = Math.max(66, heightFor(off, on));
    const shared = kind === 'shared';
    const label = `Staging environment of ${kind} branches. Disabled: ${list(off)}. ${shared ? `Enabled: ${list(on)}.` : 'Enabling is refused.'}`;
    return {
      title: `${kind} branches`,
      picture: drawing(
        label,
        WIDTH,
        height + 4,
        stateBox({ x: 2, y: 2, width: 132, height, name: 'disabled', members: off }),
        stateBox({
          x: 202,
          y: 2,
          width: 132,
          height,
          name: shared ? 'enabled' : 'never enabled',
          members: on,
          never: !shared,
        }),
        shared
          ? [
              arrow(
                [
                  [136, 26],
                  [199, 26],
                ],
                'enable',
                [168, 20],
              ),
              arrow(
                [
                  [200, 52],
                  [137, 52],
                ],
                'disable',
                [168, 66],
              ),
            ]
          : arrow(
              [
                [136, 32],
                [199, 32],
              ],
              'refused',
              [168, 26],
              'refused',
            ),
      ),
    };
  });
}

/** DBT-1, DBT-8: a job runs until it is completed or failed. */
export function dbtPicture(state, deploymentId) {
  const jobs = state.dbtSyncs.filter((row) => row.deploymentId === deploymentId);
  const inState = (name) => jobs.filter((row) => row.state === name).map((row) => row.id);
  const [running, completed, failed] = ['running', 'completed', 'failed'].map(inState);
  const upper = heightFor(completed);
  const lower = heightFor(failed);
  const height = Math.max(upper + lower + 14, heightFor(running));
  const left = heightFor(running);
  const y = 2 + (height - left) / 2;
  const from = y + left / 2;
  return drawing(
    `dbt sync jobs. Running: ${list(running)}. Completed: ${list(completed)}. Failed: ${list(failed)}.`,
    WIDTH,
    height + 4,
    stateBox({ x: 2, y, width: 126, height: left, name: 'running', members: running }),
    stateBox({ x: 202, y: 2, width: 132, height: upper, name: 'completed', members: completed }),
    stateBox({ x: 202, y: upper + 16, width: 132, height: lower, name: 'failed', members: failed }),
    arrow(
      [
        [130, from - 6],
        [199, 2 + upper / 2],
      ],
      'complete',
      [152, 16],
    ),
    arrow(
      [
        [130, from + 6],
        [199, upper + 16 + lower / 2],
      ],
      'fail',
      [158, height - 4],
    ),
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
    lanes.map(({ name, head, ran, versions }, lane) => {
      const x = 2 + lane * 172;
      return [
        svg('text', { x: x + 2, y: 16, class: 'lane' }, name),
        versions.map((version, index) => {
          const now = runs === `${name}@${version}`;
          const y = 26 + index * 58;
          const facts = [
            version === head ? 'head' : null,
            ran.includes(version) ? 'run before' : null,
          ].filter(Boolean);
          return svg(
            'g',
            { class: `state${now ? ' current' : ''}` },
            svg('rect', { x, y, width: 160, height: 46, rx: 8 }),
            svg(
              'text',
              { x: x + 10, y: y + 19, class: 'name' },
              now ? `● ${version} runs now` : version,
            ),
            svg('text', { x: x + 10, y: y + 36 }, facts.join(', ')),
          );
        }),
      ];
    }),
  );
}

/** The folders of a deployment, by position below their parent. */
export function folderPicture(state, deploymentId) {
  const folders = state.folders.filter((row) => row.deploymentId === deploymentId);
  const lines = [];
  const walk = (parentId, depth) => {
    for (const folder of folders
      .filter((row) => row.parentId === parentId)
      .toSorted((a, b) => a.position - b.position)) {
      if (lines.some(({ folder: seen }) => seen.id === folder.id)) continue;
      lines.push({ folder, depth });
      walk(folder.id, depth + 1);
    }
  };
  walk(null, 0);
  const height = Math.max(1, lines.length) * 40 + 4;
  const rowOf = (id) => lines.findIndex(({ folder }) => folder.id === id);
  return drawing(
    `Folder tree: ${list(lines.map(({ folder }) => `${folder.name} (${folder.id})${folder.parentId === null ? '' : ` in ${folder.parentId}`}`))}.`,
    WIDTH,
    height,
    lines.length === 0 ? svg('text', { x: 4, y: 18 }, 'no folder') : null,
    lines.map(({ folder, depth }, index) => {
      const x = 2 + depth * 24;
      const y = 2 + index * 40;
      const parent = folder.parentId === null ? -1 : rowOf(folder.parentId);
      return [
        parent < 0
          ? null
          : svg(
              'g',
              { class: 'arrow' },
              svg('polyline', {
                points: `${x - 12},${2 + parent * 40 + 32} ${x - 12},${y + 16} ${x},${y + 16}`,
              }),
            ),
        svg(
          'g',
          { class: 'state' },
          svg('rect', { x, y, width: WIDTH - 4 - x, height: 32, rx: 8 }),
          memberLine(
            `${folder.name}  ·  ${folder.id}, position ${folder.position}`,
            x + 10,
            y + 20,
            Math.floor((WIDTH - x - 24) / 6.3),
          ),
        ),
      ];
    }),
  );
}

/** RECIP-5 to RECIP-12: not subscribed, or subscribed; and what the same call again does. */
export function recipientsPicture(state, notificationId) {
  const names = state.recipients
    .filter((row) => row.notificationId === notificationId)
    .map((row) => {
      if (row.kind === 'USER') {
        return state.users.find((user) => user.id === row.subject)?.email ?? `user ${row.subject}`;
      }
      if (row.kind === 'EMAIL') return String(row.subject);
      const user = state.embedUsers.find((candidate) => candidate.id === row.subject);
      return user === undefined
        ? `embed user ${row.subject}`
        : `${user.externalId} of ${user.embedTenantName}`;
    });
  const height = Math.max(64, heightFor(names));
  return drawing(
    `Recipients of notification ${notificationId}. Subscribed: ${list(names)}.`,
    WIDTH,
    height + 90,
    svg(
      'g',
      { class: 'state' },
      svg('rect', { x: 2, y: 44, width: 84, height: 46, rx: 8 }),
      svg('text', { x: 12, y: 64, class: 'name' }, 'not sub-'),
      svg('text', { x: 12, y: 80, class: 'name' }, 'scribed'),
    ),
    stateBox({ x: 152, y: 44, width: 182, height, name: 'subscribed', members: names }),
    arrow(
      [
        [88, 66],
        [149, 66],
      ],
      'created',
      [119, 59],
    ),
    arrow(
      [
        [186, 42],
        [186, 22],
        [300, 22],
        [300, 41],
      ],
      'changed: updated; same: unchanged',
      [334, 14, 'end'],
    ),
    svg(
      'g',
      { class: 'arrow refused' },
      svg('text', { x: 2, y: height + 66 }, 'One that cannot be resolved, or a SLACK recipient:'),
      svg('text', { x: 2, y: height + 82 }, 'the call is refused and nobody is subscribed.'),
    ),
  );
}
