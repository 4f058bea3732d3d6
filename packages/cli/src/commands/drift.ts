import type { EndpointBody, Environment } from '@burgee/contract'
import type { Command } from 'commander'
import { orEmpty } from '../api/or-empty.ts'
import type { CommandContext } from '../command-context.ts'
import { EXIT } from '../exit-codes.ts'
import { printable } from '../output/output.ts'
import { type BetweenOptions, findBoth } from './diff.ts'

type Compared = EndpointBody<'compareFlags'>['flags'][number]

/** Adds `burgee drift`: the flags that behave differently in two environments. */
export function addDrift(program: Command, context: CommandContext): void {
  program
    .command('drift')
    .description(
      'list the flags that behave differently in two environments without a note; exit code 3 then',
    )
    .requiredOption('--from <slug>', 'the environment to compare')
    .requiredOption('--to <slug>', 'the environment to compare it with')
    .action(async (between: BetweenOptions) => {
      const { project, source, target } = await findBoth(context, between)
      const params = { project_id: project.id }
      const query = { source: source.id, target: target.id, behaviour: true }
      const comparison = await context.api().call('compareFlags', { params, query })
      const different = comparison.flags.filter(({ behaviour }) => behaviour !== 'same')
      const notes = new Map(
        (await listNotes(context, project.id, [source, target])).map((note) => [note.flag_key, note]),
      )
      const drifted = different.filter(({ key }) => !notes.has(key))
      const noted = different.flatMap(({ key }) => notes.get(key) ?? [])
      const equal = comparison.flags.filter(
        ({ behaviour, status }) => behaviour === 'same' && status !== 'same',
      )
      context.print({ ...comparison, flags: drifted, ...(noted.length > 0 && { noted }) }, () => {
        const lines = drifted.map((flag) => describe(flag, source.slug, target.slug))
        for (const { flag_key, owner_email, reason } of noted)
          lines.push(`. ${flag_key}: meant to differ (${owner_email}): ${reason}`)
        if (different.length === 0) lines.push('Every flag gives every user the same.')
        if (equal.length > 0) lines.push(`The text differs, the behavior does not: ${equal.length}`)
        return lines.map((line) => `${printable(line)}\n`).join('')
      })
      if (drifted.length > 0) context.endWith(EXIT.differences)
    })
}

type Note = EndpointBody<'listDriftNotes'>[number]

/** Returns the notes about these two environments that have not ended; none for a key, which reads none. */
async function listNotes(
  context: CommandContext,
  project_id: string,
  both: readonly Pick<Environment, 'id' | 'slug'>[],
): Promise<Note[]> {
  const notes = await orEmpty(context.api().call('listDriftNotes', { params: { project_id } }))
  const indexOf = (wanted: string) =>
    both.findIndex(({ id, slug }) => slug === wanted || id === wanted.toLowerCase())
  return notes.filter(
    ({ expires_at, source, target }) =>
      indexOf(source) + indexOf(target) === 1 && (expires_at === null || Date.parse(expires_at) > Date.now()),
  )
}

function describe({ example, key, why }: Compared, source: string, target: string): string {
  if (!example) return `? ${key}: undecided, ${why ?? 'without a reason'}`
  const user = JSON.stringify({ user_key: example.user_key, attributes: example.attributes })
  const shown = ({ enabled, value }: typeof example.source) =>
    `${JSON.stringify(value)}${enabled ? '' : ' (disabled)'}`
  return `~ ${key}: ${source} ${shown(example.source)}, ${target} ${shown(example.target)} for ${user}`
}
