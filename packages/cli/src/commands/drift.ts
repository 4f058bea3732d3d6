import type { EndpointBody } from '@burgee/contract'
import type { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { EXIT } from '../exit-codes.ts'
import { printable } from '../output/output.ts'
import { type BetweenOptions, findBoth } from './diff.ts'

type Compared = EndpointBody<'compareFlags'>['flags'][number]

/** Adds `burgee drift`: the flags that behave differently in two environments. */
export function addDrift(program: Command, context: CommandContext): void {
  program
    .command('drift')
    .description('list the flags that do not give every user the same in two environments; ends with 3')
    .requiredOption('--from <slug>', 'the environment to compare')
    .requiredOption('--to <slug>', 'the environment to compare it with')
    .action(async (between: BetweenOptions) => {
      const { project, source, target } = await findBoth(context, between)
      const params = { project_id: project.id }
      const query = { source: source.id, target: target.id, behaviour: true }
      const comparison = await context.api().call('compareFlags', { params, query })
      const drifted = comparison.flags.filter(({ behaviour }) => behaviour !== 'same')
      const equal = comparison.flags.filter(
        ({ behaviour, status }) => behaviour === 'same' && status !== 'same',
      )
      context.print({ ...comparison, flags: drifted }, () => {
        const lines = drifted.map((flag) => describe(flag, source.slug, target.slug))
        if (drifted.length === 0) lines.push('Every flag gives every user the same.')
        if (equal.length > 0) lines.push(`The text differs, the behaviour does not: ${equal.length}`)
        return lines.map((line) => `${printable(line)}\n`).join('')
      })
      if (drifted.length > 0) context.endWith(EXIT.differences)
    })
}

function describe({ example, key, why }: Compared, source: string, target: string): string {
  if (!example) return `? ${key}: undecided, ${why ?? 'without a reason'}`
  const user = JSON.stringify({ user_key: example.user_key, attributes: example.attributes })
  const shown = ({ enabled, value }: typeof example.source) =>
    `${JSON.stringify(value)}${enabled ? '' : ' (disabled)'}`
  return `~ ${key}: ${source} ${shown(example.source)}, ${target} ${shown(example.target)} for ${user}`
}
