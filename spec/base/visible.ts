/** Characters that a reader cannot see, or that change what the reader sees around them. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/** Nothing but ASCII that is seen, and no `#` or `:`, with which a command begins. */
const harmless = /^[ -"$-9;-~]*$/;

/** What a build service takes for a command in a log: `::error::` in front, `##[error]` anywhere. */
const command = /^[^\S\r\n\u2028\u2029]*:(?=:)|#(?=#\w{0,20}\[)/gm;

/**
 * The text with every invisible character spelled out (`\u{1b}`), and without commands to a build
 * service. Names and bodies of a tenant could otherwise clear a terminal, turn text around, break the
 * XML, or speak for the build. Line ends and tabs stay with `lines`.
 */
export function visible(text: string, lines: 'lines' | 'one-line' = 'one-line'): string {
  if (harmless.test(text)) return text;
  const plain = text.replace(command, (found) => {
    return found.slice(0, -1) + spelled(found.slice(-1));
  });
  return plain.replace(hidden, (character) => {
    if (character === '\n' || character === '\t') {
      return lines === 'lines' ? character : character === '\n' ? '\\n' : '\\t';
    }
    return spelled(character);
  });
}

function spelled(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** A part of a URL as a person reads it; as it stands where it is not written well. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A word of a command line, so that it can be pasted into a shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
