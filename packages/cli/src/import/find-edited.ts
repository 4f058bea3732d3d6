import { splitApply } from '@burgee/contract'
import type { ImportedEnvironment } from '@burgee/importers'
import type { CommandContext } from '../command-context.ts'

/** A flag or segment that is another here than an earlier import has written it. */
export interface Edited {
  readonly resource: 'flag' | 'segment'
  readonly key: string
  /** The fields; null for all of them, also where it is not here any more. */
  readonly fields: readonly string[] | null
  /** The fields that the new files change too. They keep the value that they have here. */
  readonly kept: readonly string[]
}

export interface Unedited {
  /** The changes without the fields that were edited here. */
  readonly environment: ImportedEnvironment
  readonly edited: readonly Edited[]
}

/**
 * Takes what was edited here since the earlier import out of the changes. A dry run of the earlier import
 * finds it: what that would write again is no longer as it was written.
 */
export async function withoutEdited(
  context: CommandContext,
  earlier: ImportedEnvironment,
  changes: ImportedEnvironment,
): Promise<Unedited> {
  const { id } = await context.environment()
  const found = new Map<string, Omit<Edited, 'kept'>>()
  const segments = withDefaults(earlier.segments, changes.segments)
  const flags = withDefaults(earlier.flags, changes.flags)
  for (const part of splitApply(segments, flags)) {
    const body = { ...part, dry_run: true }
    const result = await context.api().call('applyEnvironment', { params: { env_id: id }, body })
    for (const { action, changes: differences, is_cut, key, resource } of result.changes) {
      const isWhole = action === 'create' || is_cut === true
      const fields = [...new Set(differences.map(({ path }) => path.split('/')[1] ?? ''))]
      found.set(`${resource} ${key}`, { resource, key, fields: isWhole ? null : fields })
    }
  }
  const kept = new Map<string, string[]>()
  const take = <Item extends { readonly key: string }>(
    resource: Edited['resource'],
    items: readonly Item[],
  ) =>
    items.flatMap((item): Item[] => {
      const edited = found.get(`${resource} ${item.key}`)
      if (!edited) return [item]
      const isEdited = (name: string) => edited.fields === null || edited.fields.includes(name)
      const names = Object.keys(item).filter((name) => name !== 'key')
      kept.set(`${resource} ${item.key}`, names.filter(isEdited))
      const left = names.filter((name) => !isEdited(name))
      const rest = Object.fromEntries(
        Object.entries(item).filter(([name]) => !isEdited(name) || name === 'key'),
      )
      // An item without some of its fields, which an apply leaves as they are.
      return left.length === 0 ? [] : [rest as Item]
    })
  return {
    environment: {
      ...changes,
      segments: take('segment', changes.segments),
      flags: take('flag', changes.flags),
    },
    edited: [...found].map(([name, one]) => ({ ...one, kept: kept.get(name) ?? [] })),
  }
}

/** Returns what was written, with the defaults of the fields that only the changes name. */
function withDefaults<Item extends { readonly key: string }>(
  written: readonly Item[],
  changes: readonly Item[],
): Item[] {
  const byKey = new Map(changes.map((item) => [item.key, item]))
  return written.map((item) => {
    const names = Object.keys(byKey.get(item.key) ?? {})
    // Null sets a field to its default.
    return { ...Object.fromEntries(names.map((name) => [name, null])), ...item }
  })
}

/** Returns a line for each thing that was edited here, the fields that were not imported included. */
export const editedText = (edited: readonly Edited[]): string =>
  edited
    .map(({ fields, kept, key, resource }) => {
      const what = fields === null ? 'it is not here as it was imported' : fields.join(', ')
      const left = kept.length === 0 ? '' : ` Not imported, because both changed it: ${kept.join(', ')}.`
      return `Edited here since: ${resource} ${key} (${what}).${left}\n`
    })
    .join('')
