import type { SdkKey } from '@burgee/contract'

/** The keys that were created with a key, and with those, in the order of the list. */
export function findDescendants(keys: readonly SdkKey[], root_id: number): SdkKey[] {
  const found = new Set([root_id])
  // A parent may come after its child only where the list is in no order.
  for (let size = 0; size !== found.size; ) {
    size = found.size
    for (const { id, parent_id } of keys) if (parent_id !== null && found.has(parent_id)) found.add(id)
  }
  return keys.filter(({ id }) => id !== root_id && found.has(id))
}

/** Which key a key was created with, in words; null where a person created it, or the project. */
export function sayParent(keys: readonly SdkKey[], { parent_id }: SdkKey): string | null {
  if (parent_id === null) return null
  const parent = keys.find(({ id }) => id === parent_id)
  return parent ? `with the key ${parent.name}` : 'with a key that was revoked since'
}
