import type { BulkInput, Flag } from '@burgee/contract'

/**
 * The bulk actions that take a finished one back. They are only for flags that it changed, so that a flag
 * that was on before stays on. None for a deletion. `before` are the flags as they were. `done` are the keys
 * that the server changed or left as they were.
 */
export function undoBulk(
  { action, tags }: Pick<BulkInput, 'action' | 'tags'>,
  before: readonly Flag[],
  done: readonly string[],
): BulkInput[] {
  const isDone = new Set(done)
  const keysOf = (wasOther: (flag: Flag) => boolean) =>
    before.filter((flag) => isDone.has(flag.key) && wasOther(flag)).map(({ key }) => key)
  const perTag = (undo: BulkInput['action'], had: boolean) =>
    (tags ?? []).map((tag) => ({
      action: undo,
      keys: keysOf((flag) => flag.tags.includes(tag) === had),
      tags: [tag],
    }))
  return undoOf().filter(({ keys }) => keys.length > 0)

  function undoOf(): BulkInput[] {
    switch (action) {
      case 'enable':
        return [{ action: 'disable', keys: keysOf((flag) => !flag.is_enabled) }]
      case 'disable':
        return [{ action: 'enable', keys: keysOf((flag) => flag.is_enabled) }]
      case 'archive':
        return [{ action: 'unarchive', keys: keysOf((flag) => flag.archived_at === null) }]
      case 'unarchive':
        return [{ action: 'archive', keys: keysOf((flag) => flag.archived_at !== null) }]
      case 'add_tags':
        return perTag('remove_tags', false)
      case 'remove_tags':
        return perTag('add_tags', true)
      case 'delete':
        return []
    }
  }
}
