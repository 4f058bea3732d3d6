import { Argument, type Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { listCommandWords } from '../completion/command-words.ts'
import { SCRIPTS } from '../completion/scripts.ts'

/** Adds `burgee completion`: a script for a shell, made from the commands themselves. */
export function addCompletion(program: Command, context: CommandContext): void {
  program
    .command('completion')
    .description('print a script that completes commands, options and their values in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', HELP)
    .action((shell: string) => {
      const script = SCRIPTS[shell]
      if (script !== undefined) context.io.stdout.write(script(listCommandWords(program)))
    })
}

const HELP = `
For this shell, and for every later one in its startup file:
  bash  source <(burgee completion bash)
  zsh   source <(burgee completion zsh)    after compinit
  fish  burgee completion fish | source`
