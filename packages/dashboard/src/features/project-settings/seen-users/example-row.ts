import type { Environment } from '@burgee/contract'

/** The attributes of a user that a program sends with an impression. */
const SENT = { plan: 'pro', country: 'NL', email: 'ann@example.com' }

/** Returns what would be kept of a user of an example; null where nothing is. */
export function exampleRow({
  private_attributes,
  seen_users,
}: Pick<Environment, 'seen_users' | 'private_attributes'>): object | null {
  if (seen_users === 'off') return null
  const row = { user_key: 'user-1087', seen_at: '2026-03-02T14:05:09Z' }
  if (seen_users === 'keys') return row
  const kept = Object.entries(SENT).filter(([name]) => !private_attributes.includes(name))
  return { ...row, attributes: Object.fromEntries(kept) }
}
