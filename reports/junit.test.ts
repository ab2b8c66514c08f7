import { describe, expect, test } from 'vitest';
import type { Report } from '../conformance/judge/report.ts';
import { junit } from './junit.ts';
import { hostileReport } from './testing/hostile-report.ts';
import { type Element, readMarkup, textOf, walk } from './testing/markup.ts';
import { passedReport, sampleReport } from './testing/sample-report.ts';

function testcases(report: Report): readonly Element[] {
  return readMarkup(junit(report), { language: 'xml' })
    .flatMap((root) => [...walk(root)])
    .filter(({ name }) => name === 'testcase');
}

function of(report: Report, statement: string): Element {
  const found = testcases(report).find(({ attributes }) =>
    attributes.name?.startsWith(`${statement} `),
  );
  if (found === undefined) throw new Error(`no case of ${statement}`);
  return found;
}

function under(options: Partial<Report['options']>): Report {
  const base = sampleReport();
  return { ...base, options: { ...base.options, ...options } };
}

test.each([
  ['sample', sampleReport()],
  ['passed', passedReport()],
  ['hostile', hostileReport()],
  ['empty', sampleReport({ statements: [], scenarios: [] })],
])('the %s report is valid JUnit', (_name, report) => {
  expect(junitFaults(junit(report))).toEqual([]);
});

test('the schema check finds mistakes', () => {
  expect(junitFaults('<testsuites><testsuite name="a"><x/></testsuite></testsuites>')).toContain(
    '/testsuites/testsuite lacks tests',
  );
  expect(() => junitFaults('<testsuites>\u0000</testsuites>')).toThrow('control character');
  expect(() => junitFaults('<testsuites>a < b</testsuites>')).toThrow('no tag');
  expect(
    junitFaults(
      '<testsuites tests="2" failures="0" errors="0"><testsuite name="a" tests="2" failures="0" errors="0" skipped="0"><testcase name="x"/></testsuite></testsuites>',
    ),
  ).toContain('suite a: tests is not 1');
});

test('there is one suite per area of scenarios', () => {
  const [root] = readMarkup(junit(sampleReport()), { language: 'xml' });
  const names = inside(root ?? { name: '', attributes: {}, children: [] }, 'testsuite').map(
    ({ attributes }) => attributes.name,
  );
  expect(names).toEqual(
    expect.arrayContaining(['staging', 'versions', 'authentication', 'recipients', 'not tried']),
  );
  expect(new Set(names).size).toBe(names.length);
});

describe('a statement in a scenario', () => {
  test('that is violated is a failure, with the expected value and the place', () => {
    const [failure] = inside(of(sampleReport(), 'UPD-5'), 'failure');
    expect(failure?.attributes).toEqual({
      type: 'violated',
      message: 'violated: answered 422, and must answer 400; evidence/versions.har#2',
    });
    expect(textOf(failure ?? of(sampleReport(), 'UPD-5'))).toContain(
      'conformance/scenarios/versions/switch.yaml:27:7',
    );
  });

  test('that deviates from a standard is skipped, and fails only if standards are enforced', () => {
    expect(inside(of(under({}), 'HTTP-1'), 'skipped')[0]?.attributes.type).toBe('deviates');
    expect(inside(of(under({ standards: 'enforce' }), 'HTTP-1'), 'failure')).toHaveLength(1);
  });

  test('that could not be tried is skipped with its reason, and a failure under --complete', () => {
    expect(inside(of(under({}), 'AUTH-9'), 'skipped')[0]?.attributes.message).toBe(
      'not testable: the tenant file names no credential `scoped`',
    );
    expect(inside(of(under({ complete: true }), 'AUTH-9'), 'failure')).toHaveLength(1);
  });

  test('that no scenario tried is skipped with its reason', () => {
    const found = of(sampleReport(), 'RECIP-1');
    expect(found.attributes.classname).toBe('not tried.not tried');
    expect(inside(found, 'skipped')).toHaveLength(1);
  });

  test('that is a silence is not counted as a test', () => {
    expect(() => of(sampleReport(), 'STAGE-9')).toThrow();
    expect(junit(sampleReport())).toContain(
      'STAGE-9 With which status enabling the staging environment of a personal or the production branch is refused.',
    );
  });
});

test('a scenario that could not run is an error', () => {
  const base = passedReport();
  const scenarios = base.scenarios.map((item, index) =>
    index === 0 ? { ...item, outcome: 'could-not-run' as const, reason: 'ECONNRESET' } : item,
  );
  const xml = junit({ ...base, scenarios });
  expect(junitFaults(xml)).toEqual([]);
  expect(xml).toContain('<error type="could-not-run" message="could not run: ECONNRESET">');
});

test('names are unique, so that a tool can follow a case from run to run', () => {
  const names = testcases(sampleReport()).map(
    ({ attributes }) => `${attributes.classname} ${attributes.name}`,
  );
  expect(new Set(names).size).toBe(names.length);
});

/**
 * The rules of Jenkins' published `junit-10.xsd` for the elements that we use: a file that satisfies the
 * strictest reader can be read by all of them.
 */
interface Rule {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly children: readonly string[];
  /** True if it may hold text. */
  readonly text: boolean;
}

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '');
const rule = (required: string, optional: string, children: string): Rule => ({
  ...{ required: words(required), optional: words(optional), children: words(children) },
  text: false,
});
const outcome: Rule = { ...rule('', 'type message', ''), text: true };
const output: Rule = { ...rule('', '', ''), text: true };

/** By element: its required attributes, its optional ones, and its allowed content. */
const rules: Readonly<Record<string, Rule>> = {
  testsuites: rule('', 'name time tests failures errors', 'testsuite'),
  testsuite: rule(
    'name tests failures errors',
    'time skipped timestamp hostname id package file',
    'properties testcase system-out system-err',
  ),
  testcase: rule('name', 'time classname', 'skipped error failure system-out system-err'),
  properties: rule('', '', 'property'),
  property: rule('name value', '', ''),
  ...{ failure: outcome, error: outcome, skipped: outcome },
  ...{ 'system-out': output, 'system-err': output },
};

/** The faults of a JUnit file; empty if it is valid. Throws if it is not XML. */
function junitFaults(xml: string): readonly string[] {
  const roots = readMarkup(xml, { language: 'xml' });
  const [root] = roots;
  if (roots.length !== 1 || root?.name !== 'testsuites') return ['the root is not one testsuites'];
  return [...faults(root, ''), ...sums(root)];
}

function faults(element: Element, path: string): readonly string[] {
  const at = `${path}/${element.name}`;
  const rule = rules[element.name];
  if (rule === undefined) return [`${at} is unknown`];
  const names = Object.keys(element.attributes);
  return [
    ...rule.required.filter((name) => !names.includes(name)).map((name) => `${at} lacks ${name}`),
    ...names
      .filter((name) => !rule.required.includes(name) && !rule.optional.includes(name))
      .map((name) => `${at} has ${name}`),
    ...('time' in element.attributes && !/^\d+\.\d{3}$/.test(element.attributes.time ?? '')
      ? [`${at} has a wrong time`]
      : []),
    ...element.children.flatMap((child) => {
      if (typeof child === 'string') {
        return rule.text || child.trim() === '' ? [] : [`${at} has text`];
      }
      if (!rule.children.includes(child.name)) return [`${at} has ${child.name} in it`];
      return faults(child, at);
    }),
  ];
}

/** The numbers that a suite and the root give must be those of the cases. */
function sums(root: Element): readonly string[] {
  const suites = inside(root, 'testsuite');
  const counted = suites.map((suite) => {
    const cases = inside(suite, 'testcase');
    const having = (name: string): number =>
      cases.filter((item) => inside(item, name).length > 0).length;
    return {
      suite,
      tests: cases.length,
      failures: having('failure'),
      errors: having('error'),
      skipped: having('skipped'),
    };
  });
  const names = ['tests', 'failures', 'errors', 'skipped'] as const;
  const wrong = counted.flatMap((item) =>
    names
      .filter((name) => Number(item.suite.attributes[name]) !== item[name])
      .map((name) => `suite ${item.suite.attributes.name ?? ''}: ${name} is not ${item[name]}`),
  );
  const totals = (['tests', 'failures', 'errors'] as const).filter(
    (name) => Number(root.attributes[name]) !== counted.reduce((sum, item) => sum + item[name], 0),
  );
  return [...wrong, ...totals.map((name) => `the sum of ${name} is wrong`)];
}

function inside(element: Element, name: string): readonly Element[] {
  return element.children.filter(
    (child): child is Element => typeof child !== 'string' && child.name === name,
  );
}
