/** `2 requests`, `1 request`, `3 tries`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** Joins neighbouring ids into ranges: `RECIP-1 to 8, RECIP-10, AUTH-9`. */
export function ranges(ids: readonly string[]): string {
  const runs: { area: string; first: number; last: number }[] = [];
  for (const id of ids) {
    const dash = id.lastIndexOf('-');
    const [area, number] = [id.slice(0, dash), Number(id.slice(dash + 1))];
    const run = runs.at(-1);
    if (run?.area === area && run.last + 1 === number) run.last = number;
    else runs.push({ area, first: number, last: number });
  }
  return runs
    .map(({ area, first, last }) =>
      first === last ? `${area}-${first}` : `${area}-${first} to ${last}`,
    )
    .join(', ');
}
