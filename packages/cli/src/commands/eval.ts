import type { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { CommandError } from '../command-error.ts'
import { formatValue } from '../eval/describe-result.ts'
import { readAttributes } from '../eval/read-attributes.ts'
import { traceTree } from '../eval/trace-tree.ts'

interface EvalOptions {
  readonly user?: string
  readonly attr: readonly string[]
  readonly attributes?: string
  readonly at?: string
  readonly revision?: string
}

/** Adds `burgee eval`: what a user gets, and why. */
export function addEval(program: Command, context: CommandContext): void {
  program
    .command('eval')
    .description(
      'evaluate flags for a user on the server, with the steps to each result; nothing is recorded',
    )
    .argument('[keys...]', 'flags, at most 100; none for all of the environment')
    .option('--user <key>', 'key of the user; none for an anonymous one')
    .option(
      '--attr <name=value>',
      'attribute of the user, repeatable; name:=json for one that is no text',
      collect,
      [],
    )
    .option('--attributes <json>', 'attributes as a JSON object')
    .option('--at <time>', 'a past moment, such as 2026-02-20T20:00:00Z')
    .option('--revision <n>', 'a revision of the environment')
    .action(async (keys: string[], options: EvalOptions) => {
      const { at, attr, attributes, revision, user } = options
      const { id } = await context.environment()
      const result = await context.api().call('evaluateEnvironment', {
        params: { env_id: id },
        body: {
          attributes: readAttributes(attr, attributes) as Record<string, never>,
          ...(user !== undefined && { user_key: user }),
          ...(keys.length > 0 && { flag_keys: keys, trace: true }),
          ...(at !== undefined && { at }),
          ...(revision !== undefined && { revision: Number(revision) }),
        },
      })
      context.print(result, () =>
        keys.length > 0
          ? result.flags.map((flag) => traceTree(flag, context.colors)).join('\n')
          : context.table(
              ['FLAG', 'VALUE', 'REASON'],
              result.flags.map(({ flag_key, reason, value }) => [flag_key, formatValue(value), reason]),
            ),
      )
      const unknown = result.flags.filter(({ reason }) => reason === 'FLAG_NOT_FOUND')
      if (unknown.length > 0)
        throw new CommandError(
          `There is no flag ${unknown.map(({ flag_key }) => flag_key).join(', ')}. burgee eval without keys lists all.`,
        )
    })
}

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value]
