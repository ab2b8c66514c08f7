/** The answer to a step, as references and checks see it. */

import { isObject, parseJson, shape, typeOf } from '../../spec/base/json.ts';
import type { Response as Declared } from '../../spec/contract.ts';
import { type Csv, readCsv } from '../answers/csv.ts';
import type { Walk } from '../answers/walk.ts';
import type { Fields } from './template.ts';

/** An answer as it came over the wire; header names are in lower case. */
export interface WireAnswer {
  /** 0 if no answer came. */
  readonly status: number;
  /** A header that was sent several times is a list. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly text: string;
  /** Milliseconds from sending to the last byte. */
  readonly durationMs: number;
  /** When it was sent, milliseconds since 1970. */
  readonly sentAt: number;
  /** The number of 429 answers before this one, after which the client waited. */
  readonly throttled: number;
}

export interface SentRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** The JSON body before it was serialised; undefined if none was sent. */
  readonly body: unknown;
}

/** Maps the service's field names to the contract's, for fields that the description renamed. */
export type Aliases = ReadonlyMap<string, string>;

/** The contract's name for a field. */
export type NameOf = (field: string) => string;

/** The caller's access, compared with that of another caller with the right to make the request. */
export type Access = 'alone refused' | 'as others';

export class Answer implements Fields {
  readonly wire: WireAnswer;
  readonly request: SentRequest;
  /** Ids of its exchanges in the evidence. */
  readonly evidence: readonly string[];
  walk: Walk | undefined;
  /** The list that the step compares with lists of other steps; undefined if the answer holds no list. */
  list: readonly unknown[] | undefined;
  /** Every answer of a `repeat`. */
  answers: readonly Answer[] | undefined;
  /** The contract's declaration for the status of the answer; undefined if there is none. */
  response: Declared | undefined;
  /** Undefined if no other caller made the request. */
  access: Access | undefined;
  readonly #nameOf: NameOf | undefined;
  #json: { value: unknown } | undefined;
  #csv: Csv | undefined;

  constructor(
    wire: WireAnswer,
    request: SentRequest,
    evidence: readonly string[],
    nameOf?: NameOf,
  ) {
    this.wire = wire;
    this.request = request;
    this.evidence = evidence;
    this.#nameOf = nameOf;
  }

  /** The same answer, with the evidence of all calls that led to it. */
  withEvidence(evidence: readonly string[]): Answer {
    const copy = new Answer(this.wire, this.request, evidence, this.#nameOf);
    copy.#json = this.#json;
    copy.response = this.response;
    return copy;
  }

  get status(): number {
    return this.wire.status;
  }

  get ok(): boolean {
    return this.wire.status >= 200 && this.wire.status < 300;
  }

  /** Media type without parameters, in lower case; empty if no type was sent. */
  get media(): string {
    const [first = ''] = [this.wire.headers['content-type']].flat();
    return (first.split(';')[0] ?? '').trim().toLowerCase();
  }

  /** The JSON body with its fields renamed; undefined if the body is not JSON. */
  get body(): unknown {
    this.#json ??= { value: rename(parseJson(withoutMark(this.wire.text)), this.#nameOf) };
    return this.#json.value;
  }

  get csv(): Csv {
    const query = new URLSearchParams(this.request.target.split('?')[1]);
    const [start, end] = [query.get('start') ?? undefined, query.get('end') ?? undefined];
    this.#csv ??= readCsv(this.wire.text, { start, end });
    return this.#csv;
  }

  field(name: string): unknown {
    return fields[name]?.(this);
  }
}

/** The parts of an answer that references can name. */
const fields: Readonly<Record<string, (answer: Answer) => unknown>> = {
  status: (answer) => answer.status,
  headers: (answer) => answer.wire.headers,
  media: (answer) => answer.media,
  body: (answer) => answer.body,
  text: (answer) => answer.wire.text,
  csv: (answer) => answer.csv,
  walk: (answer) => answer.walk,
  list: (answer) => answer.list,
  // If the description does not show the body, any body is declared.
  declared: ({ response }) => (isOpen(response) ? undefined : (response?.mediaType ?? undefined)),
  answers: ({ answers }) =>
    answers?.map((answer) => ({
      status: answer.status,
      body: answer.body,
      get csv() {
        return answer.csv;
      },
    })),
  shape: ({ wire, body }) => {
    if (wire.text === '') return 'empty';
    return body === undefined ? typeOf('') : shape(body);
  },
  request: ({ request: { method, target, body } }) => ({ method, target, body }),
  throttled: (answer) =>
    (answer.answers ?? [answer]).reduce((sum, { wire }) => sum + wire.throttled, 0),
};

/** Whether a schema allows every value because its keywords only describe. */
function isOpen(response: Declared | undefined): boolean {
  const keywords = Object.keys(response?.schema ?? {});
  return keywords.every((keyword) => keyword === 'description' || keyword.startsWith('x-'));
}

/** The names by which a step refers to its own answer. */
export const answerFields: readonly string[] = Object.keys(fields);

/** RFC 8259 section 8.1: a reader of JSON may ignore a byte order mark. */
const withoutMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text);

function rename(value: unknown, nameOf: NameOf | undefined): unknown {
  if (nameOf === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => rename(item, nameOf));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [nameOf(key), rename(item, nameOf)]),
  );
}
