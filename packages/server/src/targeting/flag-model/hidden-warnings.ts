import type { Flag, Warning } from '@burgee/contract'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import { dependentsByKey } from './prerequisite-warnings.ts'

/** The prerequisites of a flag, with its visibility for client keys. */
export type NeedingFlag = Pick<Flag, 'key' | 'prerequisites'> & { readonly is_visible: boolean }

/**
 * Returns warnings about hidden flags that client keys receive all the same, because a visible flag needs
 * them (docs/reference/streaming.md#flags-for-client-keys). `flags`, by key, are the flag itself and all that
 * its prerequisites reach. `visibleDependent` is a visible flag that needs this one.
 */
export async function findHiddenWarnings(
  flag: Flag,
  flags: ReadonlyMap<string, Flag>,
  visibleDependent: string | undefined,
): Promise<Warning[]> {
  const isHidden = flag.client_visible === false
  const isSent = flag.archived_at === null && (!isHidden || visibleDependent !== undefined)
  if (!isSent) return []
  const own: Warning[] = isHidden
    ? [
        warning(
          '/client_visible',
          `Client keys receive this flag all the same, because "${visibleDependent}" needs it.`,
        ),
      ]
    : []
  if (flag.prerequisites.length === 0) return own
  const hidden = await hiddenBehind(flag.key, flags)
  return [
    ...own,
    ...flag.prerequisites.flatMap(({ flag_key }, index): Warning[] => {
      const needed = hidden.get(flag_key)
      if (needed === undefined) return []
      const message = `"${needed}" is hidden from client keys; they receive it all the same, because this flag needs it.`
      return [warning(`/prerequisites/${index}/flag_key`, message)]
    }),
  ]
}

/**
 * Returns the first key, in code unit order, of the visible flags that need the given one, directly or
 * through others.
 */
export async function findVisibleDependent(
  key: string,
  needing: readonly NeedingFlag[],
): Promise<string | undefined> {
  const dependents = await dependentsByKey(needing)
  const reached = new Set([key])
  for (const each of reached) {
    await shareTurn()
    for (const dependent of dependents.get(each) ?? []) reached.add(dependent)
  }
  const visible = needing.filter((flag) => flag.is_visible && flag.key !== key && reached.has(flag.key))
  return visible.map((flag) => flag.key).sort()[0]
}

const warning = (path: string, message: string): Warning => ({ code: 'hidden_prerequisite', path, message })

/**
 * Returns, for each flag that needs a hidden one or is hidden itself, the key of such a hidden flag.
 * Archived flags are never sent, and need nothing. Every flag is visited once.
 */
async function hiddenBehind(
  own: string,
  flags: ReadonlyMap<string, Flag>,
): Promise<ReadonlyMap<string, string>> {
  const active = new Map([...flags].filter(([, { archived_at }]) => archived_at === null))
  const dependents = await dependentsByKey(active.values())
  const behind = new Map<string, string>()
  for (const { client_visible, key } of active.values()) {
    if (client_visible === false && key !== own) behind.set(key, key)
  }
  // A map is iterated with what is added meanwhile.
  for (const [key, hidden] of behind) {
    await shareTurn()
    for (const dependent of dependents.get(key) ?? [])
      if (!behind.has(dependent)) behind.set(dependent, hidden)
  }
  return behind
}
