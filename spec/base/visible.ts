/** Characters that a reader cannot see, or that change what the reader sees around them. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/** Only visible ASCII, without `#` and `:`, because a command begins with them. */
const harmless = /^[ -"$-9;-~]*$/;

/**
 * The parts of a log that a build service reads as a command: `::error::` at the start of a line, `##[error]`
 * anywhere.
 */
const command = /^[^\S\r\n\u2028\u2029]*:(?=:)|#(?=#\w{0,20}\[)/gm;

/**
 * The text with every invisible character as an escape (`\u{1b}`), and without commands to a build
 * service. Without this, names and bodies of a tenant could clear a terminal, turn text around, break the
 * XML, or give commands to the build. Line ends and tabs stay with `lines`.
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

/** A part of a URL in readable form; unchanged if it is not well-formed. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A word of a command line, quoted so that it can be pasted into a shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
