/** The type filter of the environments list, letting through too much or too little. */
import type { Deviation } from '../../../deviations/deviation.ts';
import { count, deviationOf, type Json } from '../../../deviations/transforms.ts';
import { type Asked, cut, instead, type Page, repaged } from './page.ts';

const isOf = (type: string) => (item: Json) => item.type === type;

const deviation = deviationOf('lists', 'listEnvironments');

function filter(
  name: string,
  text: string,
  breaks: readonly string[],
  change: (page: Page, asked: Asked & { readonly type: string }) => Partial<Page> | undefined,
  collateral: readonly string[] = [],
): Deviation {
  const handle = repaged((page, asked) => {
    const { type } = asked;
    return type === undefined ? undefined : change(page, { ...asked, type });
  });
  return deviation(`filter-${name}`, text, breaks, { handle, collateral });
}

export const typeFilter: readonly Deviation[] = [
  filter(
    'ignored',
    'The type filter does nothing: every environment is listed.',
    ['ENV-6'],
    (page, { unfiltered }) => instead(page, unfiltered),
    ['ENV-7', 'STAGE-6'],
  ),
  filter(
    'ignored-behind-the-first-page',
    'The type filter holds for the first page only: later ones are cut from the whole list.',
    ['ENV-7'],
    (page, { unfiltered }) => (page.offset === 0 ? undefined : { items: cut(page, unfiltered) }),
    ['ENV-6', 'PAGE-6'],
  ),
  filter(
    'after-paging',
    'The page is cut from the whole list, and then filtered.',
    ['ENV-7'],
    (page, { unfiltered, type }) => ({ items: cut(page, unfiltered).filter(isOf(type)) }),
    ['ENV-6', 'PAGE-6'],
  ),
  filter(
    'leaks-one',
    'One environment of another type is listed behind those of the type.',
    ['ENV-6'],
    (page, { whole, unfiltered, type }) => {
      const other = unfiltered.find((item) => item.type !== type);
      return other === undefined ? undefined : instead(page, [...whole, other]);
    },
    ['ENV-7', 'STAGE-6'],
  ),
  filter(
    'misses-one',
    'The first environment of the type is missing from the filtered list.',
    ['ENV-6'],
    (page, { whole }) => instead(page, whole.slice(1)),
    ['ENV-7', 'STAGE-5'],
  ),
  filter(
    'keeps-one',
    'The filtered list holds the last environment of the type only, however many there are.',
    ['ENV-6'],
    (page, { whole }) => instead(page, whole.slice(-1)),
    ['ENV-7', 'STAGE-5'],
  ),
  filter(
    'development-gives-staging',
    'type=development lists those of type staging as well.',
    ['ENV-6'],
    (page, { unfiltered, type }) =>
      type === 'development'
        ? instead(
            page,
            unfiltered.filter((item) => item.type === type || item.type === 'staging'),
          )
        : undefined,
    ['ENV-7'],
  ),
  filter(
    'staging-gives-nothing',
    'type=staging lists nothing, though the whole list has environments of that type.',
    ['ENV-6'],
    (page, { type }) => (type === 'staging' ? instead(page, []) : undefined),
    ['ENV-7', 'STAGE-5'],
  ),
  filter(
    'total-of-all-types',
    'total counts the environments of every type though the list is filtered.',
    ['ENV-7'],
    (_page, { unfiltered }) => ({ total: unfiltered.length }),
    ['PAGE-5', 'PAGE-6'],
  ),
  filter(
    'total-of-all-types-behind-the-first-page',
    'total counts the environments of every type on each page of a filtered list but the first.',
    ['ENV-7'],
    (page, { unfiltered }) => (page.offset === 0 ? undefined : { total: unfiltered.length }),
    ['PAGE-5'],
  ),
  filter(
    'right-once',
    'The type filter holds when a type is first asked for, and is ignored from then on.',
    ['ENV-6'],
    (page, { unfiltered, type, memory }) =>
      count(memory, type) === 1 ? undefined : instead(page, unfiltered),
    ['ENV-7', 'STAGE-6'],
  ),
];
