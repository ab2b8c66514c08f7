import { expect, test } from 'vitest';
import type { Redacted } from '../../../spec/base/redactor.ts';
import type { Report } from '../../judge/report.ts';
import { loadOwnSuite } from '../../language/own-suite.ts';
import { entriesOf } from '../../target/evidence.ts';
import { anonymous } from './anonymous.ts';
import { Pseudonyms } from './names.ts';

/** The words of the contract are enough here: those of all scenarios take half a second for each answer. */
const suite = { ...loadOwnSuite(), scenarios: [] };
const encoded = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/** The anonymised form of an answer and of its redirect. */
function shown(body: unknown, redirectURL = '') {
  const request = { method: 'GET', url: 'https://bi.example.test/x', headers: [], queryString: [] };
  const content = { text: JSON.stringify(body) };
  const response = { status: 200, headers: [], content, redirectURL };
  const entry = { request, response, _lockstep: {} };
  const text = JSON.stringify({ log: { entries: [entry] } }) as Redacted;
  const target = { name: 'x', baseUrl: 'https://bi.example.test', bindings: {}, credentials: {} };
  const report = { runId: 'run12345', target, evidence: [] } as unknown as Report;
  const made = anonymous(
    { report, evidence: [{ file: 'evidence/x.har', text }] },
    new Pseudonyms('a key'),
    suite,
  );
  const [changed] = entriesOf(made.evidence[0]?.text ?? '');
  return `${changed?.response.content.text} ${changed?.response.redirectURL}`;
}

test.for<[what: string, body: unknown, names: readonly string[]]>([
  ['a name with two dots', { userName: 'anna.maria.lopez' }, ['anna', 'maria', 'lopez']],
  ['a host', { at: 'bi.acmecorp.io' }, ['acmecorp']],
  ['a name of words of the contract', { displayName: 'Grant Page' }, ['Grant', 'Page']],
  ['an email of such words', { by: 'page.field@acmecorp.com' }, ['page', 'field', 'acmecorp']],
  ['a short email', { by: 'jo@li.io' }, ['jo@', '@li']],
  ['an email in an address', { next: 'https://x/?q=zelda%40acmecorp.com' }, ['zelda', 'acmecorp']],
  ['a name of two signs', { title: '王伟' }, ['王', '伟']],
  ['a name with marks', { title: 'प्रिया' }, ['प्रिया']],
])('%s is invented', ([, body, names]) => {
  const text = shown(body);
  for (const name of names) expect(text).not.toContain(name);
});

test.for(['2026-01-02T03:04:05.678Z', 'Sun, 06 Nov 1994 08:49:37 GMT'])(
  'a time stays: %s',
  (time) => {
    expect(shown({ note: `Zelda at ${time}` })).toMatch(new RegExp(`"(?!Zelda)\\w+ at ${time}"`));
  },
);

test('a name that occurs only in a token is invented', () => {
  const claims = { sub: 'wilhelmina@acmecorp.com' };
  const [, payload = ''] = shown({ at: `${encoded({ alg: 'x' })}.${encoded(claims)}.{}` }).split(
    '.',
  );
  expect(Buffer.from(payload, 'base64url').toString()).toMatch(/^{"sub":"(?!wilhel)\w{10}@/);
});

test('the address of a redirect contains no name', () => {
  expect(shown({}, 'https://login.acmecorp.com/wilhelm')).not.toMatch(/acmecorp|wilhelm/);
});
