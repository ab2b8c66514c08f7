/**
 * The rules of Jenkins' published `junit-10.xsd` for the elements that we use. For tests: a file
 * that satisfies the strictest reader can be read by all of them.
 */

import { type Element, readMarkup } from './markup.ts';

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
export function junitFaults(xml: string): readonly string[] {
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

export function inside(element: Element, name: string): readonly Element[] {
  return element.children.filter(
    (child): child is Element => typeof child !== 'string' && child.name === name,
  );
}
