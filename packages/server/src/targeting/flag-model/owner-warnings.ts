import type { Flag, Warning } from '@burgee/contract'

const NAME_MAX = 100

/**
 * Returns the warning about a single change to a flag that files manage: their next apply may change the flag
 * back (docs/reference/flags.md#apply). A change that takes the flag from its owner has none.
 */
export function findOwnerWarnings(before: Flag | null, after: Flag | null): Warning[] {
  const owner = before?.managed_by
  if (owner === undefined || after?.managed_by !== owner) return []
  const name = owner.slice(0, NAME_MAX)
  const message = `Files of ${name} manage this flag. Change the fields that they name there, too: the next apply writes them again.`
  return [{ code: 'managed_elsewhere', path: '/managed_by', message }]
}
