/**
 * What Jenkins' published `junit-10.xsd` allows, of the elements that we use. For tests: a file
 * that keeps to the strictest reader can be read by all of them.
 */

import { type Element, readMarkup } from './markup.ts';

interface Rule {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly children: readonly string[];
  /** Whether text may stand in it. */
  readonly text: boolean;
}

const outcomeRule: Rule = { required: [], optional: ['type', 'message'], children: [], text: true };

const rules: Readonly<Record<string, Rule>> = {
  testsuites: {
    required: [],
    optional: ['name', 'time', 'tests', 'failures', 'errors'],
    children: ['testsuite'],
    text: false,
  },
  testsuite: {
    required: ['name', 'tests', 'failures', 'errors'],
    optional: ['time', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'file'],
    children: ['properties', 'testcase', 'system-out', 'system-err'],
    text: false,
  },
  testcase: {
    required: ['name'],
    optional: ['time', 'classname'],
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
    text: false,
  },
  properties: { required: [], optional: [], children: ['property'], text: false },
  property: { required: ['name', 'value'], optional: [], children: [], text: false },
  failure: outcomeRule,
  error: outcomeRule,
  skipped: outcomeRule,
  'system-out': { required: [], optional: [], children: [], text: true },
  'system-err': { required: [], optional: [], children: [], text: true },
};

/** What is wrong with a JUnit file; nothing where it is valid. Throws where it is no XML. */
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
