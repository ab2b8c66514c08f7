/** `lockstep completion SHELL`: a completion script, made of commander's own table. */
import type { Argument, CommandUnknownOpts, Option } from '@commander-js/extra-typings';

export const completedShells = ['bash', 'zsh', 'fish'] as const;
export type CompletedShell = (typeof completedShells)[number];

/** The values of an option or a command: listed words, a file, a folder, any text, or nothing. */
type Values = readonly string[] | 'file' | 'folder' | 'any' | 'none';

interface OptionRow {
  readonly flag: string;
  readonly values: Values;
  readonly description: string;
}

interface CommandRow {
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionRow[];
  readonly values: Values;
  /** True if another program and its arguments follow `--`. */
  readonly runs: boolean;
}

/** The script for a shell. Hidden commands and options are not in it. */
export function completion(program: CommandUnknownOpts, shell: CompletedShell): string {
  const visible = program.createHelp().visibleCommands(program);
  const names = visible.map((command) => command.name());
  const commands = visible.map((command) => commandRow(command, names));
  return `${{ bash, zsh, fish }[shell](commands)}\n`;
}

function commandRow(command: CommandUnknownOpts, all: readonly string[]): CommandRow {
  const help = command.createHelp();
  // The last argument may be repeated; the argument of `help` is a command.
  const argument = command.registeredArguments.at(-1);
  const names = command.name() === 'help' ? all : undefined;
  return {
    name: command.name(),
    description: command.description(),
    options: help.visibleOptions(command).flatMap(optionRows),
    values: names ?? (argument === undefined ? 'none' : valuesOf(argument, argument.name())),
    runs: argument?.name() === 'command' && argument.variadic,
  };
}

function optionRows(option: Option): OptionRow[] {
  const { long, flags, description } = option;
  if (long == null) return [];
  const placeholder = /[<[](.+?)(?:\.{3})?[>\]]/.exec(flags)?.[1];
  const values = placeholder === undefined ? 'none' : valuesOf(option, placeholder);
  return [{ flag: long, values, description }];
}

/** `<name or file>` may be a file. */
function valuesOf(
  { argChoices }: Pick<Argument | Option, 'argChoices'>,
  placeholder: string,
): Values {
  if (argChoices !== undefined) return argChoices;
  if (/\b(?:file|files|path|paths|report|last|now)\b/.test(placeholder)) return 'file';
  return /\bdir\b/.test(placeholder) ? 'folder' : 'any';
}

// ── bash ─────────────────────────────────────────────────────────────────────────

/** Bash itself splits `--allow=none` at the sign. The script works from bash 3.2 on. */
function bash(commands: readonly CommandRow[]): string {
  const files = 'lockstep_files';
  const offer = (values: Values): string => {
    if (values === 'file') return `${files} -f`;
    if (values === 'folder') return `${files} -d`;
    if (values === 'any' || values === 'none') return ':';
    return `COMPREPLY=($(compgen -W '${values.join(' ')}' -- "$cur"))`;
  };
  const afterOption = commands.flatMap(({ name, options }) =>
    options
      .filter(({ values }) => values !== 'none')
      .map(({ flag, values }) => `    '${name} ${flag}') ${offer(values)}; return ;;`),
  );
  const afterCommand = commands.map(({ name, options, values }) => {
    const flags = options.map(({ flag }) => flag).join(' ');
    return `    ${name}) if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W '${flags}' -- "$cur")); else ${offer(values)}; fi ;;`;
  });
  const names = commands.map(({ name }) => name).join(' ');
  const running = commands.filter(({ runs }) => runs).map(({ name }) => name);
  return `# bash completion for lockstep: source <(lockstep completion bash)
${files}() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen "$1" -- "$cur"))
  compopt -o filenames 2>/dev/null
}
_lockstep() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}" word
  COMPREPLY=()
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  if [[ $COMP_CWORD == 1 ]]; then
    COMPREPLY=($(compgen -W '${names} --help --version' -- "$cur"))
    return
  fi
  case $command in ${running.join('|')})
    for word in "\${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
      if [[ $word == -- ]]; then ${files} -f; return; fi
    done ;;
  esac
  case "$command $prev" in
${afterOption.join('\n')}
  esac
  case $command in
${afterCommand.join('\n')}
  esac
}
complete -F _lockstep lockstep`;
}

// ── zsh ──────────────────────────────────────────────────────────────────────────

function zsh(commands: readonly CommandRow[]): string {
  const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const plain = (text: string): string => text.replaceAll(/[[\]:\\]/g, String.raw`\$&`);
  const action = (values: Values): string => {
    if (values === 'file') return '_files';
    if (values === 'folder') return '_files -/';
    return values === 'any' || values === 'none' ? ' ' : `(${values.join(' ')})`;
  };
  const spec = ({ flag, values, description }: OptionRow): string => {
    const told = `*${flag}[${plain(description)}]`;
    return values === 'none' ? quote(told) : quote(`${told}:value:${action(values)}`);
  };
  const branches = commands.map(({ name, options, values, runs }) => {
    const rest = values === 'none' ? [] : [quote(`*:value:${runs ? '_normal' : action(values)}`)];
    return `    ${name}) _arguments ${[...options.map(spec), ...rest].join(' \\\n      ')} ;;`;
  });
  const names = commands.map(({ name, description }) => quote(`${name}:${plain(description)}`));
  return `#compdef lockstep
# zsh completion for lockstep: source <(lockstep completion zsh), after compinit
_lockstep() {
  local -a names
  names=(${names.join('\n    ')})
  if (( CURRENT == 2 )); then
    _describe command names
    return
  fi
  local name=$words[2]
  shift words
  (( CURRENT-- ))
  case $name in
${branches.join('\n')}
  esac
}
if [[ $funcstack[1] == _lockstep ]]; then _lockstep "$@"; else compdef _lockstep lockstep; fi`;
}

// ── fish ─────────────────────────────────────────────────────────────────────────

function fish(commands: readonly CommandRow[]): string {
  const quote = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
  const value = (values: Values): string => {
    if (values === 'none') return '';
    if (values === 'file') return ' -r -F';
    if (values === 'folder') return " -x -a '(__fish_complete_directories)'";
    return values === 'any' ? ' -x' : ` -x -a ${quote(values.join(' '))}`;
  };
  const lines = commands.flatMap(({ name, description, options, values, runs }) => {
    const inside = `complete -c lockstep -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c lockstep -n __fish_use_subcommand -a ${name} -d ${quote(description)}`,
      ...options.map(
        (option) =>
          `${inside} -l ${option.flag.slice(2)}${value(option.values)} -d ${quote(option.description)}`,
      ),
      ...(runs || values === 'file' || values === 'folder' ? [`${inside} -F`] : []),
      ...(Array.isArray(values) ? [`${inside} -a ${quote(values.join(' '))}`] : []),
    ];
  });
  return [
    '# fish completion for lockstep: lockstep completion fish | source',
    'complete -c lockstep -f',
    ...lines,
  ].join('\n');
}
