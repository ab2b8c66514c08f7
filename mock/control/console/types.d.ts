/** Shapes that the console's modules share. The control API sends more fields; only those in use are declared. */

/** A value between two tags; `undefined`, `null` and `false` show nothing. */
export type Child = Node | string | number | boolean | null | undefined | readonly Child[];

/** A value, and the text that stands for it. */
export type Option = string | readonly (string | number)[];

export type Values = Readonly<Record<string, string | number>>;
export type Json = Readonly<Record<string, unknown>>;
/** An answer of the control API, as `JSON.parse` gives it. */
export type Answer = ReturnType<typeof JSON.parse>;
export type Said = string | ((made: Answer) => string);

export interface Choice {
  id: string;
  text: string;
  inert?: string;
}

export interface Statement {
  id: string;
  level: string;
  text: string;
  assumption?: Choice;
  alternatives?: Choice[];
}

export interface Silence {
  statement: string;
  text: string;
  choice: string;
  choices: Choice[];
}

export interface Deviation {
  id: string;
  text: string;
  breaks: (string | { id: string })[];
  effects?: number;
}

/** A fault that is ordered. */
export interface Fault extends Json {
  id: string;
  operation: string | null;
  credential: string | null;
  phase: string;
  left: number | null;
  times: number | null;
  /** The number of matching calls so far. */
  seen: number;
}

/** A row before and after; null if it did not exist then. */
export interface RowChange {
  before?: Json | null;
  after?: Json | null;
}

/** A request of the journal. */
export interface Entry {
  id: number;
  at: string;
  method: string;
  path: string;
  query: string;
  headers: Readonly<Record<string, string>>;
  requestBody: unknown;
  status: number;
  responseHeaders: Readonly<Record<string, string>>;
  responseBody: unknown;
  operation: string | null;
  credential: string | null;
  basis: string | null;
  assumed: string[];
  refusal: { message: string; lines: string[] } | null;
  fault: Answer;
  passedOver: string[];
  contractFailures: string[];
  changes: ({ table: string; key: string } & RowChange)[];
  /** Of the traffic that a proxy has seen. */
  watched?: { origin: string; durationMs: number; notJudged: string[] };
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  body?: unknown;
}

export interface WorldRow {
  id: string;
  fixture: string;
  default: boolean;
  requests: number;
  altered?: Readonly<Record<string, number>>;
}

export interface Clock {
  now: string;
  frozen: boolean;
  /** When it was read, by `performance.now()`. */
  read: number;
  scheduled?: Answer[];
  past?: Answer[];
}

export interface Store {
  entries: Entry[];
}

/** Data that every view may use. */
export interface Shared {
  statements: ReadonlyMap<string, Statement>;
  operations: Operation[];
  eventTypes: string[];
  /** The JSON Schema of an order of a fault. */
  faultSchema?: Answer;
  worlds: WorldRow[];
  /** The traffic to another service is shown, not a world of a mock. */
  isProxy: boolean;
}

/** The argument of a view: `ui` is the view's own state, `data` is the data that it has loaded. */
export interface Context<Data = unknown, Ui = object> extends Shared {
  view: View;
  world: string;
  params: URLSearchParams;
  credentials: Readonly<Record<string, string>>;
  ui: Ui;
  data: Data;
  call(method: string, path: string, body?: object): Promise<Answer>;
  store(): Store;
  clock(): Clock;
  draw(): void;
  set(changes: Partial<Ui>): void;
  attempt(action: () => unknown): Promise<boolean>;
  change(action: () => unknown, said?: Said): Promise<void>;
  act(action: () => unknown, said?: Said): Promise<boolean>;
  refresh(): Promise<boolean>;
}

export interface View<Data = unknown, Ui = object> {
  id: string;
  label: string;
  /** Nothing that it shows changes with a request. */
  quiet?: boolean;
  ui?(context: Context<Data, Ui>): Ui;
  load?(context: Context<Data, Ui>): Promise<Data> | Data;
  render(context: Context<Data, Ui>): Child;
  /** Tells of a request that has arrived. */
  journal?(context: Context<Data, Ui>, entry?: Entry): void;
}
