/** How deep JSON may be nested: what reads it afterwards may recurse. */
export const DEEPEST = 100;

/** Whether a JSON text opens more brackets within one another than the limit. */
export function deeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (quoted) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) quoted = false;
    } else if (code === 0x22) quoted = true;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > limit) return true;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return false;
}
