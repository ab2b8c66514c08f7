/** Shrinks a failing list to one of which no element can be left out. */

/**
 * Answers with the indices of the elements that are left. `attempt` answers with a result where the
 * elements still fail, and with undefined where they do not. First halves are left
 * out, then quarters, and at last one at a time, until nothing goes.
 */
export async function shrink<Result>(
  length: number,
  first: Result,
  attempt: (left: readonly number[]) => Promise<Result | undefined>,
  most = 2000,
): Promise<{ readonly left: readonly number[]; readonly result: Result }> {
  let left = Array.from({ length }, (_, index) => index);
  let result = first;
  let plays = 0;
  let size = Math.max(1, Math.ceil(length / 2));
  while (plays < most) {
    let smaller = false;
    for (let end = left.length; end > 0 && plays < most; end -= size) {
      const start = Math.max(0, end - size);
      const rest = [...left.slice(0, start), ...left.slice(end)];
      if (rest.length === 0) continue;
      plays += 1;
      const found = await attempt(rest);
      if (found === undefined) continue;
      left = rest;
      result = found;
      smaller = true;
    }
    if (size > 1) size = Math.ceil(size / 2);
    else if (!smaller) break;
  }
  return { left, result };
}
