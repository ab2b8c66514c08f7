/**
 * Completion of a command line. `lockstep completion SHELL` prints a short script; the script asks the hidden
 * command `lockstep complete` for each word, so that one place knows commands, options and values.
 */
import type { Argument, CommandUnknownOpts, Option } from '@commander-js/extra-typings';

/**
 * The lines that fit at the end of a command line, which is given without the program's own name: a word, a
 * tab and its description, or the line `:file` or `:folder`, for which a shell looks by itself.
 */
export function offers(program: CommandUnknownOpts, typed: readonly string[]): string[] {
  // Bash splits `--allow=none` at the sign.
  const words = typed.filter((word) => word !== '=');
  const current = typed.at(-1) === '=' ? '' : (words.pop() ?? '');
  const [name, ...before] = words;
  const commands = program.createHelp().visibleCommands(program);
  const names = commands.map((command) => line(command.name(), command.description()));
  if (name === undefined) return [...names, '--help', '--version'];
  const command = commands.find((one) => one.name() === name);
  if (command === undefined) return [];
  const argument = command.registeredArguments.at(-1);
  // After `--` the line belongs to another program.
  if (argument?.name() === 'command' && argument.variadic && before.includes('--'))
    return [':file'];
  const options = command.createHelp().visibleOptions(command);
  const [assigned] = /^--[\w-]+(?==)/.exec(current) ?? [];
  const asking = options.find(({ long }) => long === (assigned ?? before.at(-1)));
  const placeholder = /[<[](.+?)(?:\.{3})?[>\]]/.exec(asking?.flags ?? '')?.[1];
  if (asking !== undefined && placeholder !== undefined) {
    const values = valuesOf(asking, placeholder);
    const isWord = assigned !== undefined && !values[0]?.startsWith(':');
    return isWord ? values.map((value) => `${assigned}=${value}`) : values;
  }
  if (current.startsWith('-'))
    return options.flatMap(({ long, description }) =>
      long == null ? [] : line(long, description),
    );
  if (name === 'help') return names;
  return argument === undefined ? [] : valuesOf(argument, argument.name());
}

const line = (word: string, description: string): string => `${word}\t${description}`;

/** `<name or file>` may be a file. */
function valuesOf(
  { argChoices }: Pick<Argument | Option, 'argChoices'>,
  placeholder: string,
): string[] {
  if (argChoices !== undefined) return [...argChoices];
  if (/\b(?:file|files|path|paths|report|last|now)\b/.test(placeholder)) return [':file'];
  return /\bdir\b/.test(placeholder) ? [':folder'] : [];
}

export const completedShells = ['bash', 'zsh', 'fish'] as const;

/** The script of each shell. That of bash works from bash 3.2 on. */
export const scripts: Readonly<Record<(typeof completedShells)[number], string>> = {
  bash: `# bash completion for lockstep: source <(lockstep completion bash)
_lockstep() {
  local IFS=$'\\n' cur="\${COMP_WORDS[COMP_CWORD]}" offered
  if [[ $cur == = ]]; then cur=; fi
  offered=$("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1)
  case $offered in
    :file) COMPREPLY=($(compgen -f -- "$cur")); compopt -o filenames 2>/dev/null ;;
    :folder) COMPREPLY=($(compgen -d -- "$cur")); compopt -o filenames 2>/dev/null ;;
    *) COMPREPLY=($(compgen -W "$offered" -- "$cur")) ;;
  esac
}
complete -F _lockstep lockstep`,
  zsh: `#compdef lockstep
# zsh completion for lockstep: source <(lockstep completion zsh), after compinit
_lockstep() {
  local -a offered
  offered=("\${(@f)$("$words[1]" complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  case $offered[1] in
    :file) compset -P '--*='; _files ;;
    :folder) compset -P '--*='; _files -/ ;;
    *) offered=("\${(@)offered/$'\\t'/:}"); _describe value offered ;;
  esac
}
if [[ $funcstack[1] == _lockstep ]]; then _lockstep "$@"; else compdef _lockstep lockstep; fi`,
  fish: `# fish completion for lockstep: lockstep completion fish | source
function __lockstep
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l offered ($words[1] complete -- $words[2..-1] "$current" 2>/dev/null)
  set -l option (string match -r '^--[^=]*=' -- "$current")
  set -l value (string replace -r '^--[^=]*=' '' -- "$current")
  switch "$offered[1]"
    case :file
      printf "$option%s\\n" (__fish_complete_path "$value")
    case :folder
      printf "$option%s\\n" (__fish_complete_directories "$value")
    case '*'
      printf '%s\\n' $offered
  end
end
complete -c lockstep -f -a '(__lockstep)'`,
};
