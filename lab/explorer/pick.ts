/** An element by any number, for choices that are made before the list is known. */
export function pick<Item>(list: readonly Item[], index: number): Item | undefined {
  return list[index % Math.max(1, list.length)];
}
