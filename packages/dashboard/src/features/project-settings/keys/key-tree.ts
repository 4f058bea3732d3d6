import type { SdkKey } from '@burgee/contract'

/** The keys that were created with a key, and with those, in the order of the list. */
export function findDescendants(keys: readonly SdkKey[], rootId: number): SdkKey[] {
  const found = new Set([rootId])
  // A parent may come after its child only where the list is in no order.
  for (let size = 0; size !== found.size; ) {
    size = found.size
    for (const { id, parent_id } of keys) if (parent_id !== null && found.has(parent_id)) found.add(id)
  }
  return keys.filter(({ id }) => id !== rootId && found.has(id))
}

export interface OrphanedKeys {
  /** The revoked key that they were created with. */
  readonly parent_id: number
  /** Those that were created with that key itself. */
  readonly roots: readonly SdkKey[]
  /** These, and all that were created with them. */
  readonly keys: readonly SdkKey[]
}

/** Keys whose creating key was revoked without them, by that key. */
export function findOrphans(keys: readonly SdkKey[]): OrphanedKeys[] {
  const known = new Set(keys.map(({ id }) => id))
  const parents = new Set(keys.map(({ parent_id }) => parent_id).filter((id) => id !== null))
  return [...parents]
    .filter((id) => !known.has(id))
    .map((parent_id) => ({
      parent_id,
      roots: keys.filter((key) => key.parent_id === parent_id),
      keys: findDescendants(keys, parent_id),
    }))
}

/** The key that a key was created with, in words. Null if a person created it, or the project. */
export function describeParent(keys: readonly SdkKey[], { parent_id }: SdkKey): string | null {
  if (parent_id === null) return null
  const parent = keys.find(({ id }) => id === parent_id)
  return parent ? `with the key ${parent.name}` : 'with a revoked key'
}
