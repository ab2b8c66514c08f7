/** Requests generated from the contract: valid, nearly valid and hostile. */
import fc from 'fast-check';
import { contract, type Operation, type Schema } from '../../spec/contract.ts';

export interface GeneratedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const surrogates = 0xdfff - 0xd800 + 1;
/**
 * The characters that fast-check calls `binary`. Its own unit looks a text up in a table of all of them, and such
 * a table costs seconds.
 */
const character = fc.nat({ max: 0x10ffff - surrogates }).map(
  (index) => String.fromCodePoint(index < 0xd800 ? index : index + surrogates),
  (text) => {
    const code = typeof text === 'string' ? (text.codePointAt(0) ?? -1) : -1;
    if (code < 0 || text !== String.fromCodePoint(code)) throw new Error('not one character');
    return code < 0xd800 ? code : code - surrogates;
  },
);

/** Values that break programs. */
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    ...[null, true, false, 0, -0, -1, 1.5, 1e308, 2 ** 53, -(2 ** 63), '', ' ', '0', '-1', '1e3'],
    ...['__proto__', 'constructor', 'toString', '../..', '%00', '\u0000', '\ud800', '\u202e', '💥'],
    ...["' OR 1=1 --", '<script>', '{{7*7}}', 'NaN', 'Infinity', '9'.repeat(400), 'a'.repeat(5000)],
    ...[[], {}, [[[[]]]], { __proto__: 1, constructor: { prototype: 1 } }],
  ),
  fc.string({ unit: character, maxLength: 40 }),
  fc.double(),
  fc.anything({ maxDepth: 3, withNullPrototype: false }).map(asJson),
);

/** The part of a value that JSON can hold. */
function asJson(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, one) => (typeof one === 'bigint' ? String(one) : one)) ?? 'null',
  );
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Ids of the fixture acme, by the end of a parameter's name. */
const known: Readonly<Record<string, readonly string[]>> = {
  deployment_id: ['1', '1', '1', '1', '2', '3'],
  deploymentId: ['1', '1', '1', '1', '2', '3'],
  environment_id: ['201', '202', '203', '204', '301', '302'],
  folderId: ['11', '12', '13', '21'],
  id: ['31', '31', '41'],
  syncJobId: ['sync-completed', 'sync-running', 'sync-failed'],
};
const ids = fc.constantFrom('1', '2', '3', '11', '12', '21', '31', '101', '102', '103', '201');

/** The schema keywords that matter for generating a value. */
interface Keywords {
  readonly type?: string;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Values of a schema, with some that do not fit it. */
function anyValue(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 12, arbitrary: fittingValue(schema) },
    { weight: 1, arbitrary: hostile },
  );
}

function fittingValue(schema: Schema): fc.Arbitrary<unknown> {
  const { type, examples = [], enum: choices = [], oneOf: branches = [] } = schema as Keywords;
  const given = [...examples, ...choices];
  const some = given.length > 0 ? [fc.constantFrom(...given)] : [];
  if (branches.length > 0) return fc.oneof(...some, ...branches.map(anyValue));
  switch (type) {
    case 'object':
      return objectOf(schema);
    case 'array': {
      const { items = {} } = schema as Keywords;
      return fc.array(anyValue(items), { maxLength: 4 });
    }
    case 'integer':
      return fc.oneof(...some, ids.map(Number), fc.integer({ min: -2, max: 40 }));
    case 'number':
      return fc.oneof(...some, fc.integer({ min: -2, max: 100_000 }), fc.double({ noNaN: true }));
    case 'boolean':
      return fc.boolean();
    case 'string':
      return fc.oneof(...some, ids, fc.string({ maxLength: 12 }), fc.emailAddress());
    default:
      return fc.oneof(...some, hostile);
  }
}

function objectOf(schema: Schema): fc.Arbitrary<unknown> {
  const { properties = {} } = schema as Keywords;
  const own = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, anyValue(one)])),
    { requiredKeys: [] },
  );
  const strange = fc.dictionary(fc.string({ maxLength: 8 }), hostile, { maxKeys: 2 });
  return fc
    .tuple(own, fc.option(strange, { freq: 8, nil: {} }))
    .map(([fields, more]) => ({ ...more, ...fields }));
}

/** Texts for a JSON body: mostly valid values, sometimes not JSON. */
function bodyOf(schema: Schema): fc.Arbitrary<string> {
  const text = anyValue(schema).map((value) => JSON.stringify(asJson(value)));
  const cut = fc.tuple(text, fc.nat(60)).map(([whole, at]) => whole.slice(0, at));
  const twice = text.map((whole) => `${whole}${whole}`);
  return fc.oneof(
    { weight: 20, arbitrary: text },
    { weight: 1, arbitrary: cut },
    { weight: 1, arbitrary: twice },
    { weight: 1, arbitrary: fc.string({ unit: character, maxLength: 60 }) },
  );
}

const names = [
  ...['admin', 'admin', 'admin', 'admin', 'member', 'scoped', 'oauth', 'memberOauth', 'embed'],
  ...['adminEmbed', 'scim'],
];

function headersOf(world: string): fc.Arbitrary<Readonly<Record<string, string>>> {
  const word = fc.stringMatching(/^[\x21-\x7e]{0,30}$/);
  const authorization = fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...names).map((name) => `Bearer ${world}-${name}`) },
    { weight: 2, arbitrary: word.map((text) => `Bearer ${text}`) },
    { weight: 1, arbitrary: word },
  );
  const media = fc.constantFrom(
    ...['application/json', 'application/json; charset=utf-8', 'text/plain', 'multipart/form-data'],
    ...['application/scim+json', '', ';;;', 'application/json; charset=utf-16'],
  );
  return fc.record({
    authorization,
    'content-type': fc.oneof(
      { weight: 12, arbitrary: fc.constant('application/json') },
      { weight: 1, arbitrary: media },
    ),
    accept: fc.constantFrom('*/*', 'application/json', 'text/csv', 'image/png;q=0.1', ',,;'),
  });
}

function requestOf({ method, path, parameters, body }: Operation, world: string) {
  const texts = (place: string) =>
    parameters
      .filter((one) => one.in === place)
      .map((one) => {
        const schema = one.schema as Schema;
        const own = known[one.name];
        const usual = own === undefined ? [] : [{ weight: 9, arbitrary: fc.constantFrom(...own) }];
        const any = fc.oneof(...usual, { weight: 1, arbitrary: anyValue(schema) });
        return any.map((value) => [one.name, textOf(asJson(value))] as const);
      });
  const inPath = fc.tuple(...texts('path'));
  const inQuery = fc.subarray(texts('query')).chain((chosen) => fc.tuple(...chosen));
  const strange = fc.option(fc.tuple(fc.string({ maxLength: 6 }), fc.string({ maxLength: 6 })), {
    freq: 10,
    nil: undefined,
  });
  const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());
  return fc
    .record({
      values: inPath,
      query: inQuery,
      strange,
      headers: headersOf(world),
      body: body === null ? fc.constant(undefined) : bodyOf(body.schema),
    })
    .map((made): GeneratedRequest => {
      const filled = made.values.reduce(
        (text, [name, value]) => text.replace(`{${name}}`, () => encoded(value)),
        path as string,
      );
      const pairs = [...made.query, ...(made.strange === undefined ? [] : [made.strange])];
      const query = pairs.map((pair) => pair.map(encoded).join('=')).join('&');
      const target = query === '' ? filled : `${filled}?${query}`;
      return { method, path: target, headers: made.headers, body: made.body };
    });
}

/** A request of any operation, for a world with these credentials. */
export function anyRequest(world: string): fc.Arbitrary<GeneratedRequest> {
  return fc.oneof(...[...contract.operations.values()].map((one) => requestOf(one, world)));
}
