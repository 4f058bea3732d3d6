import type { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { usageError } from '../command-error.ts'

/** Adds `burgee completion`: a script for a shell, made from the commands themselves. */
export function addCompletion(program: Command, context: CommandContext): void {
  program
    .command('completion <shell>')
    .description('print a completion script for bash, zsh or fish')
    .addHelpText('after', '\nFor bash: source <(burgee completion bash)')
    .action((shell: string) => {
      const script = SCRIPTS[shell]
      if (script === undefined)
        throw usageError(`There is no script for ${shell}, only for ${Object.keys(SCRIPTS).join(', ')}.`)
      context.io.stdout.write(script(listWords(program)))
    })
}

/** The words that can follow a command, subcommands and options, by the path of the command. */
type Words = ReadonlyMap<string, readonly string[]>

function listWords(program: Command): Words {
  const shared = optionsOf(program)
  const words = new Map<string, readonly string[]>()
  const visit = (command: Command, path: readonly string[]) => {
    const names = command.commands.map((child) => child.name())
    words.set(path.join(' '), [...names, ...new Set([...optionsOf(command), ...shared])])
    for (const child of command.commands) visit(child, [...path, child.name()])
  }
  visit(program, [])
  return words
}

const optionsOf = (command: Command): string[] => command.options.flatMap(({ long }) => (long ? [long] : []))

const SCRIPTS: Readonly<Record<string, (words: Words) => string>> = {
  bash: (words) => `_burgee() {
  local path="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] || path="\${path:+$path }$word"
  done
  COMPREPLY=()
  case "$path" in
${cases(words, (list) => `COMPREPLY=($(compgen -W "${list}" -- "\${COMP_WORDS[COMP_CWORD]}"))`)}
  esac
  [[ \${#COMPREPLY[@]} -gt 0 ]] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o filenames -F _burgee burgee
`,
  zsh: (words) => `#compdef burgee
_burgee() {
  local path="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] || path="\${path:+$path }$word"
  done
  case "$path" in
${cases(words, (list) => `compadd -- ${list}`)}
    *) _files ;;
  esac
}
compdef _burgee burgee
`,
  fish: (words) =>
    [...words]
      .map(([path, list]) => {
        const condition =
          path === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${path.split(' ').at(-1)}`
        return `complete -c burgee -n '${condition}' -a '${list.join(' ')}'\n`
      })
      .join(''),
}

const cases = (words: Words, action: (list: string) => string): string =>
  [...words].map(([path, list]) => `    "${path}") ${action(list.join(' '))} ;;`).join('\n')
