import type { FlagDraft } from './drafts.ts'

/**
 * Returns each flag once: the last of one key, which is the one that the engines of the services evaluate. It
 * has a note.
 */
export function uniqueFlags(flags: readonly FlagDraft[]): readonly FlagDraft[] {
  const byKey = new Map<string, FlagDraft>()
  const counts = new Map<string, number>()
  for (const flag of flags) {
    counts.set(flag.key, (counts.get(flag.key) ?? 0) + 1)
    // The place in the order is that of the first.
    byKey.set(flag.key, flag)
  }
  for (const [key, flag] of byKey) {
    const count = counts.get(key) ?? 1
    if (count > 1)
      flag.notes.remark(
        'listed_twice',
        '',
        `The files have this flag ${count === 2 ? 'twice' : `${count} times`}. The last one is imported.`,
      )
  }
  return [...byKey.values()]
}
