/** Converts values for a fixture: with invented names, and only in valid forms. */

import { createHash } from 'node:crypto';
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { toMillis } from '../../../spec/base/time.ts';
import type { Pseudonyms } from './names.ts';
import { isText, type Reads } from './reads.ts';

/** Words of the provider, such as the name of a channel or an event, without longer numbers. */
const plainWord = /^[A-Za-z]+(?:[ ._:/,"()-]{1,3}(?:[A-Za-z]+|\d{1,2}))*[")]?$/;

/** The form of ids in a fixture, by kind; all other kinds have numbers. */
const idForms: Readonly<Record<string, 'digits' | 'id'>> = {
  deployment: 'digits',
  environment: 'id',
  sync: 'id',
};

export class Written {
  readonly names: Pseudonyms;
  readonly #reads: Reads;
  /** Names of people, in lower case. Their words never count as the provider's. */
  readonly #people = new Set<string>();
  readonly #rows = new Set<string>();

  constructor(names: Pseudonyms, reads: Reads) {
    this.names = names;
    this.#reads = reads;
  }

  note(text: string): void {
    this.#reads.note(text);
  }

  /** Remembers that the fixture has a row of a kind (`kindOfBinding`) with this id. */
  add(kind: string, id: unknown): void {
    this.#rows.add(`${kind} ${String(id)}`);
  }

  /** The id of a row as the fixture has it; undefined if it has no such row. */
  rowId(kind: string, id: unknown): string | number | undefined {
    return this.#rows.has(`${kind} ${String(id)}`)
      ? this[idForms[kind] ?? 'number'](id)
      : undefined;
  }

  email(text: string): string {
    const made = this.names.email(text);
    return /^[^@\s]+@[^@\s]+$/.test(made) ? made : `${this.number(text)}@invented.test`;
  }

  /** An id that may have letters and digits. */
  id(value: unknown): string {
    return this.names.id(String(value)).replaceAll(/[^0-9A-Za-z_.~-]/g, '-');
  }

  hash(value: unknown): string | undefined {
    return isText(value) && /^[0-9a-f]{7,64}$/.test(value) ? this.names.hash(value) : undefined;
  }

  /** A number for any id. */
  number(value: unknown): number {
    const text = String(value);
    const made = /^[1-9]\d{0,14}$/.test(text) ? Number(this.names.id(text)) : undefined;
    if (made !== undefined) return made;
    const bytes = createHash('sha256').update(this.names.id(text)).digest();
    return 1 + (bytes.readUInt32BE() % 1_000_000_000);
  }

  /** The number as a text, because deployments in a fixture have ids of digits. */
  digits(value: unknown): string {
    return String(this.number(value));
  }

  time(value: unknown): string | undefined {
    const at = isText(value) ? toMillis(value) : undefined;
    return at === undefined ? undefined : new Date(at).toISOString();
  }

  /** Adds a person's name, so that its words do not count as the provider's. */
  addPerson(text: string): void {
    for (const word of wordsIn(text)) if (word.length > 3) this.#people.add(word);
  }

  /** Keeps a word that looks like one of the provider's, and replaces any other text. */
  word(text: string): string {
    const isPerson = wordsIn(text).some((word) => this.#people.has(word));
    if (text.length <= 60 && plainWord.test(text) && !isPerson) return text;
    this.note(
      'a name of an event or a channel does not look like one: an invented one stands for it',
    );
    return this.names.name(text);
  }

  /** The result of a completed sync, as far as it was readable. */
  dbtResult(body: unknown): JsonObject {
    const { completedAt, durationMs, generatedFiles, manifestStats, unitCount } = isObject(body)
      ? body
      : {};
    const end = isText(completedAt) ? toMillis(completedAt) : undefined;
    if (end === undefined) return {};
    const took = typeof durationMs === 'number' && durationMs >= 0 ? durationMs : 0;
    const stats = isObject(manifestStats) ? manifestStats : {};
    const files = Array.isArray(generatedFiles) ? generatedFiles.filter(isObject) : [];
    const counts: JsonObject = { ...stats, unitCount };
    return {
      startedAt: new Date(end - took).toISOString(),
      completedAt: new Date(end).toISOString(),
      generatedFiles: files.flatMap(({ path }) => (isText(path) ? [this.names.path(path)] : [])),
      ...Object.fromEntries(
        (['models', 'sources', 'macros', 'unitCount'] as const).flatMap((name) =>
          isCount(counts[name]) ? [[name, counts[name]]] : [],
        ),
      ),
    };
  }

  embedUser({ embedTenantName, externalId, email }: JsonObject): JsonObject {
    const external = String(externalId);
    return {
      embedTenantName: this.names.name(String(embedTenantName)),
      externalId: external.includes('@') ? this.email(external) : this.id(external),
      ...(isText(email) && { email: this.email(email) }),
    };
  }
}

export const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

const wordsIn = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];
