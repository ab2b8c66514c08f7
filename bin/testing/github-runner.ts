/**
 * Runs the jobs of a GitHub workflow on this machine, like GitHub's runner: each `run:` in bash,
 * with the files and variables that GitHub sets. Actions of others are replaced by short
 * substitutes.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { parse } from 'yaml';

export interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, unknown>>;
}

export interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

interface WorkflowJob {
  readonly environment: string;
  readonly strategy: { readonly matrix: { readonly tenant: readonly string[] } };
  readonly steps: readonly Step[];
}

export interface Workflow {
  readonly jobs: Readonly<Record<string, WorkflowJob>>;
}

export interface Machine {
  /** A new folder for all files of the job. */
  readonly folder: string;
  /** The root of this repository: its action is that of `./lockstep-action`. */
  readonly root: string;
  /** The repository that is checked out. */
  readonly origin: string;
  readonly secrets: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The variables of every environment. */
  readonly vars: Readonly<Record<string, string>>;
  /** Changes the text of a step, to make it faster. */
  readonly changed: (text: string) => string;
}

export interface JobResult {
  /** The exit status of the first step that failed; 0 if none did. */
  readonly status: number;
  readonly log: string;
  readonly summary: string;
  readonly outputs: string;
}

type Texts = Readonly<Record<string, string>>;
type Contexts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Fills in expressions such as `${{ matrix.tenant }}`; our workflows use no other form. */
export function filled(text: unknown, contexts: Contexts): string {
  return String(text).replaceAll(/\$\{\{\s*([\w.-]+)\.([\w-]+)\s*\}\}/g, (_all, context, name) => {
    const value = contexts[String(context)]?.[String(name)];
    if (value === undefined) throw new Error(`nothing is known of ${context}.${name}`);
    return String(value);
  });
}

const mapped = (values: object = {}, change: (value: unknown) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

/** Runs the job of one tenant, on one night, in a workspace of its own. */
export function runJob(
  machine: Machine,
  workflow: Workflow,
  name: string,
  tenant: string,
  night: string,
): JobResult {
  const place = join(machine.folder, [night, name, tenant].join('-'));
  const job = workflow.jobs[name];
  if (job === undefined) throw new Error(`no job is called ${name}`);
  mkdirSync(place, { recursive: true });
  for (const file of ['output', 'summary']) writeFileSync(join(place, file), '');
  const known: Contexts = { matrix: { tenant }, github: { run_id: night, run_attempt: '1' } };
  const secrets = machine.secrets[filled(job.environment, known)] ?? {};
  const own = new Job(machine, place, night);
  own.steps(job.steps, { ...known, secrets, vars: machine.vars }, {});
  return {
    ...{ status: own.status, log: own.log },
    summary: readFileSync(join(place, 'summary'), 'utf8'),
    outputs: readFileSync(join(place, 'output'), 'utf8'),
  };
}

class Job {
  readonly #machine: Machine;
  /** The folder of the job; `workspace` in it has the checkout. */
  readonly #place: string;
  readonly #workspace: string;
  readonly #night: string;
  status = 0;
  log = '';

  constructor(machine: Machine, place: string, night: string) {
    this.#machine = machine;
    this.#place = place;
    this.#workspace = join(place, 'workspace');
    this.#night = night;
  }

  steps(steps: readonly Step[], before: Contexts, env: Texts): void {
    for (const step of steps) {
      if (!this.#isRun(step.if)) continue;
      const contexts = { ...before, 'steps.lockstep.outputs': this.#outputs() };
      const all = { ...env, ...mapped(step.env, (value) => filled(value, contexts)) };
      const given = mapped(step.with, (value) => filled(value, contexts));
      if (step.run !== undefined) this.#run(step.run, all);
      else if (step.uses === './lockstep-action') this.#action(given, contexts, all);
      else this.#standIn(step.uses ?? '', given);
    }
  }

  /** Evaluates the condition of a step. */
  #isRun(condition: string | undefined): boolean {
    if (condition === undefined) return this.status === 0;
    if (condition === 'always()') return true;
    if (condition === 'always() && steps.lockstep.outputs.report')
      return this.#outputs().report !== undefined;
    throw new Error(`${condition} is not known here: say what it means`);
  }

  /** The outputs of the action; no other step has outputs. */
  #outputs(): Texts {
    const lines = readFileSync(join(this.#place, 'output'), 'utf8').split('\n');
    return Object.fromEntries(lines.filter(Boolean).map((line) => line.split('=', 2)));
  }

  #action(given: Texts, contexts: Contexts, env: Texts): void {
    const action: Action = parse(readFileSync(join(this.#machine.root, 'action.yml'), 'utf8'));
    for (const name of Object.keys(given)) {
      if (action.inputs[name] === undefined) throw new Error(`the action has no input ${name}`);
    }
    const usual = Object.entries(action.inputs).map(([name, about]) => [name, about.default]);
    const inputs = { ...Object.fromEntries(usual), ...given };
    this.steps(action.runs.steps, { ...contexts, inputs }, env);
  }

  #run(text: string, env: Texts): void {
    // Nothing to install: the test runs from this checkout.
    if (text.includes('npm ci ')) return;
    const { root, changed } = this.#machine;
    const script = join(this.#place, 'step.sh');
    writeFileSync(script, changed(text));
    const args = ['--noprofile', '--norc', '-eo', 'pipefail', script];
    const { status, stdout, stderr } = spawnSync('bash', args, {
      cwd: this.#workspace,
      encoding: 'utf8',
      env: {
        HOME: this.#place,
        TMPDIR: process.env.TMPDIR,
        PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        GITHUB_ACTION_PATH: root,
        RUNNER_TEMP: this.#place,
        GITHUB_WORKSPACE: this.#workspace,
        GITHUB_OUTPUT: join(this.#place, 'output'),
        GITHUB_STEP_SUMMARY: join(this.#place, 'summary'),
        ...mapped(env, (value) => changed(String(value))),
      },
    });
    this.log += stdout + stderr;
    if (this.status === 0) this.status = status ?? 1;
  }

  /** Replaces the common actions of workflows. */
  #standIn(uses: string, given: Texts): void {
    const { folder, origin } = this.#machine;
    const at = (path = ''): string => join(this.#workspace, path);
    const caches = join(folder, 'caches');
    const copy = (from: string, to: string): void => {
      if (existsSync(from)) cpSync(from, to, { recursive: true });
    };
    switch (uses.split('@')[0]) {
      case 'actions/setup-node':
        break;
      case 'actions/checkout':
        // Lockstep runs from its own checkout.
        if (given.repository !== undefined) break;
        spawnSync('git', ['clone', '--quiet', origin, this.#workspace]);
        break;
      case 'actions/cache/save':
        copy(at(given.path), join(caches, given.key ?? ''));
        break;
      case 'actions/cache/restore': {
        const kept = existsSync(caches) ? readdirSync(caches).sort() : [];
        const last = kept.findLast((key) => key.startsWith(given['restore-keys'] ?? ''));
        if (last !== undefined) copy(join(caches, last), at(given.path));
        break;
      }
      case 'actions/upload-artifact':
        copy(at(given.path), join(folder, 'artifacts', this.#night, given.name ?? ''));
        break;
      default:
        throw new Error(`${uses} is not known here: say what it does`);
    }
  }
}
