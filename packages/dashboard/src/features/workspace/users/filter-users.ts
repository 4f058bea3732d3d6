import type { User } from '@burgee/contract'

/** Those whose name or e-mail holds the text, upper or lower case. */
export function filterUsers(users: readonly User[], text: string): readonly User[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return users
  return users.filter(({ email, name }) => `${name}\n${email}`.toLowerCase().includes(wanted))
}
