/** Characters that a reader cannot see, or that change what the reader sees around them. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/**
 * The text with every invisible character spelled out (`\u{1b}`). Names and bodies of a tenant
 * could otherwise clear a terminal, turn text around, or break the XML. Line ends and tabs stay
 * with `lines`.
 */
export function visible(text: string, lines: 'lines' | 'one-line' = 'one-line'): string {
  return text.replace(hidden, (character) => {
    if (character === '\n' || character === '\t') {
      return lines === 'lines' ? character : character === '\n' ? '\\n' : '\\t';
    }
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}
