/**
 * A certificate that may be published: its report and its evidence with invented names. One word becomes
 * the same word everywhere in requests, answers and the report. So texts that the suite compares are
 * as alike or as different as before, and the verdicts still follow from the evidence.
 */

import { createHash } from 'node:crypto';
import { isObject, parseJson } from '../../../spec/base/json.ts';
import type { Redacted } from '../../../spec/base/redactor.ts';
import { contract } from '../../../spec/contract.ts';
import type { Report } from '../../judge/report.ts';
import { everyStep, type Suite } from '../../language/scenario.ts';
import { missingNames } from '../../language/scope.ts';
import { type EvidenceEntry, entriesOf } from '../../target/evidence.ts';
import { isLoopback } from '../../target/target.ts';
import { rewrites } from '../../vary/rewrites.ts';
import { texts as endings } from '../../vary/texts.ts';
import type { Pseudonyms } from './names.ts';

export interface Shown {
  readonly report: Report;
  readonly evidence: readonly { readonly file: string; readonly text: Redacted }[];
}

/**
 * Makes a report and its evidence anonymous. The report quotes answers, so it must be made again
 * from the new evidence.
 */
export function anonymous({ report, evidence }: Shown, names: Pseudonyms, suite: Suite): Shown {
  const words = new Words(names, vocabularyOf(suite, report.runId), report.runId);
  const files = evidence.map(({ file, text }) => ({ file, text }));
  words.learn(report.target.bindings, true);
  words.learn(Object.values(report.target.credentials), true);
  words.learn(report.target.name, true);
  if (!isLoopback(report.target.baseUrl))
    words.learn(new URL(report.target.baseUrl).hostname, true);
  for (const { text } of files)
    for (const { response } of entriesOf(text)) learnAnswer(words, response);
  const changed = files.map(({ file, text }) => {
    const { log } = JSON.parse(text) as { readonly log: { readonly entries: EvidenceEntry[] } };
    const entries = log.entries.map((entry) => changedEntry(words, entry));
    const written = JSON.stringify({ log: { ...log, entries } });
    return { file, text: written as Redacted };
  });
  const digests = new Map(
    changed.map(({ file, text }) => [file, createHash('sha256').update(text).digest('hex')]),
  );
  const told = words.value(report) as unknown as Report;
  return {
    report: {
      ...told,
      evidence: report.evidence.map((one) => ({
        ...one,
        sha256: digests.get(one.file) ?? one.sha256,
      })),
    },
    evidence: changed,
  };
}

/** All names must be known before the first is replaced, so that each is replaced everywhere. */
function learnAnswer(
  words: Words,
  { content, headers, redirectURL }: EvidenceEntry['response'],
): void {
  const value = parseJson(content.text);
  words.learn(value === undefined ? content.text : value, false);
  words.learn(redirectURL, true);
  for (const { name, value } of headers) if (!plainHeaders.test(name)) words.learn(value, true);
}

/** Headers of an answer that contain no personal data. */
const plainHeaders =
  /^(content-(type|length|disposition|encoding)|date|allow|retry-after|cache-control|deprecation|sunset|vary|www-authenticate|x-?ratelimit.*|ratelimit.*|connection|keep-alive|transfer-encoding)$/i;

function changedEntry(words: Words, entry: EvidenceEntry): EvidenceEntry {
  const { request, response, _lockstep: about } = entry;
  const { content } = response;
  const { noAnswer } = about;
  return {
    ...entry,
    _lockstep: { ...about, ...(noAnswer !== undefined && { noAnswer: words.text(noAnswer) }) },
    request: {
      ...request,
      url: words.url(request.url),
      queryString: request.queryString.map(({ name, value }) => ({
        name,
        value: words.text(value),
      })),
      ...(request.postData && {
        postData: { ...request.postData, text: words.body(request.postData.text) },
      }),
    },
    response: {
      ...response,
      redirectURL: words.text(response.redirectURL),
      headers: response.headers.map(({ name, value }) => ({ name, value: words.text(value) })),
      content: {
        ...content,
        ...(content.text !== undefined && { text: words.body(content.text) }),
      },
    },
  } as EvidenceEntry;
}

/**
 * The words and emails of the contract and of the suite with its rewritten steps, in lower case, and the
 * run's own number for what is missing. None of them is a real name.
 */
function vocabularyOf({ scenarios }: Suite, runId: string): ReadonlySet<string> {
  const steps = scenarios.flatMap(everyStep);
  const rewritten = Object.values(rewrites).flatMap(({ of }) =>
    steps.map((step) => of(step)?.body),
  );
  const texts = [
    ...Object.values(endings),
    String(missingNames(runId).id),
    JSON.stringify(rewritten),
    ...[...contract.statements.values()].map(({ text }) => text),
    JSON.stringify([scenarios, [...contract.operations.values()]], (key, value: unknown) =>
      key === 'examples' || key === 'example' || key === 'location' ? undefined : value,
    ),
  ];
  const whole = plainOf(texts.join(' '));
  const emails = (whole.match(addressForm) ?? []).filter(isEmail);
  return new Set([...(whole.match(wordForm) ?? []), ...emails]);
}

const wordForm = /[\p{L}\p{M}\p{N}]+/gu;
/**
 * Matches the longest possible text, so that the search stays linear. Afterwards it is checked for
 * an email.
 */
const addressForm = /[\p{L}\p{M}\p{N}.@_%+-]+/gu;
const isEmail = (text: string): boolean => /[^@](@|%40)[^@]/i.test(text);
/**
 * Fields that contain only a person's name, even if that is a word of the contract, such as Grant.
 */
const personKey = /^(userName|displayName|nickName|givenName|familyName|middleName|formatted)$/;
/** Times stay, because they are compared as times and reveal no name. */
const timeForm =
  /\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z| UTC|[+-]\d\d:?\d\d)?)?|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT\b/g;
const tokenForm = /^eyJ[\w-]*\.([\w-]+)\.[\w{}-]*$/;
const idKey = /(id|ids|by|deployments|edits|actual|expected)$/i;
/** Shorter numbers are counts, and shorter words reveal nothing. */
const LEAST_DIGITS = 4;
const LEAST_LETTERS = 3;

/** A text in one Unicode form, because a tenant may store it in another. */
const plainOf = (text: string): string => text.normalize('NFC').toLowerCase();

/** Whether a word is too short to be a name. In some scripts two letters are a whole name. */
const saysNothing = (word: string): boolean => word.length < LEAST_LETTERS && /^\w*$/.test(word);

const claimsIn = (payload: string): unknown =>
  parseJson(Buffer.from(payload, 'base64url').toString());

class Words {
  readonly #names: Pseudonyms;
  readonly #vocabulary: ReadonlySet<string>;
  readonly #runId: string;
  /** In small letters. */
  readonly #known = new Set<string>();
  #joined: string | undefined;

  constructor(names: Pseudonyms, vocabulary: ReadonlySet<string>, runId: string) {
    this.#names = names;
    this.#vocabulary = vocabulary;
    this.#runId = runId.toLowerCase();
  }

  /** Learns the words of a value as names; numbers only if the value is an id. */
  learn(value: unknown, isId: boolean, key = ''): void {
    const ofId = isId || idKey.test(key);
    if (Array.isArray(value)) for (const item of value) this.learn(item, isId, key);
    else if (isObject(value)) {
      for (const [name, item] of Object.entries(value)) this.learn(item, isId, name);
    } else if (typeof value === 'string') {
      const claims = tokenForm.exec(value)?.[1];
      if (claims === undefined) this.#learn(value, ofId);
      else this.learn(claimsIn(claims), isId, key);
    } else if (typeof value === 'number' && ofId) this.#learn(String(value), true);
  }

  #learn(text: string, isId: boolean): void {
    for (const [word] of text.replaceAll(timeForm, ' ').matchAll(wordForm)) {
      const plain = plainOf(word);
      const isNumber = /^\d+$/.test(word);
      if (isNumber ? !isId || word.length < LEAST_DIGITS : saysNothing(word)) continue;
      if (this.#vocabulary.has(plain) || plain.includes(this.#runId)) continue;
      this.#known.add(plain);
      this.#joined = undefined;
    }
  }

  text(text: string): string {
    const token = tokenForm.exec(text);
    if (token !== null) return this.#token(text, token[1] ?? '');
    let made = '';
    let from = 0;
    for (const { index, 0: time } of text.matchAll(timeForm)) {
      made += this.#words(text.slice(from, index)) + time;
      from = index + time.length;
    }
    return made + this.#words(text.slice(from));
  }

  #words(text: string): string {
    return text.replaceAll(addressForm, (part) => {
      const isOurs = this.#vocabulary.has(part.toLowerCase()) || this.#isOfRun(part);
      if (isEmail(part) && !isOurs) return this.#person(part);
      return part.replaceAll(wordForm, (word) => this.#word(word));
    });
  }

  /** Replaces each word of a person's name. */
  #person(text: string): string {
    return text.replaceAll(/%[0-9a-f]{2}|[\p{L}\p{M}\p{N}]+/giu, (word) =>
      word.startsWith('%') ? word : this.#names.name(word),
    );
  }

  #isOfRun(text: string): boolean {
    return text.toLowerCase().includes(this.#runId);
  }

  #word(word: string): string {
    const plain = plainOf(word);
    if (this.#known.has(plain)) return this.#names.name(word);
    if (saysNothing(plain) || this.#vocabulary.has(plain) || /^\d+$/.test(word)) return word;
    // A searched part of a name becomes the same part of the invented name.
    this.#joined ??= ` ${[...this.#known].join(' ')} `;
    const at = this.#joined.indexOf(plain);
    if (at < 0 || plain.includes(this.#runId)) return word;
    const start = this.#joined.lastIndexOf(' ', at) + 1;
    const whole = this.#joined.slice(start, this.#joined.indexOf(' ', at));
    return this.#names.name(whole).slice(at - start, at - start + word.length);
  }

  /** Anybody can read the claims of a token, so their names are invented too. */
  #token(text: string, payload: string): string {
    const claims = claimsIn(payload);
    if (claims === undefined) return text;
    const changed = Buffer.from(JSON.stringify(this.value(claims))).toString('base64url');
    return text.replace(payload, changed);
  }

  value(value: unknown, key = ''): unknown {
    if (typeof value === 'string')
      return personKey.test(key) && !this.#isOfRun(value) ? this.#person(value) : this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.value(item, key));
    if (isObject(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([name, item]) => [
          name.includes('@') ? this.text(name) : name,
          this.value(item, name),
        ]),
      );
    }
    const isKnown = typeof value === 'number' && idKey.test(key) && this.#known.has(String(value));
    return isKnown ? Number(this.#names.name(String(value))) : value;
  }

  /** JSON as JSON, and anything else as a text. A body without names stays to the character. */
  body(text: string): string {
    const value = parseJson(text);
    if (!isObject(value) && !Array.isArray(value)) return this.text(text);
    const made = JSON.stringify(this.value(value));
    return made === JSON.stringify(value) ? text : made;
  }

  /** A URL: its parts are decoded, replaced, and encoded again. */
  url(text: string): string {
    const [whole = '', query] = text.split(/\?(.*)/s);
    const host = whole.indexOf('://') + 3;
    const slash = host < 3 ? -1 : whole.indexOf('/', host);
    const end = slash < 0 ? whole.length : slash;
    const origin = whole.slice(0, end);
    const segments = whole
      .slice(end)
      .split('/')
      .map((segment) => this.#segment(segment));
    const place = `${this.text(origin)}${segments.join('/')}`;
    if (query === undefined) return place;
    const parameters = [...new URLSearchParams(query)].map(([name, value]): [string, string] => [
      name,
      this.text(value),
    ]);
    return `${place}?${new URLSearchParams(parameters)}`;
  }

  #segment(segment: string): string {
    try {
      const plain = decodeURIComponent(segment);
      const made =
        /^\d{4,}$/.test(plain) && this.#known.has(plain)
          ? this.#names.name(plain)
          : this.text(plain);
      return made === plain ? segment : encodeURIComponent(made);
    } catch {
      return segment;
    }
  }
}
