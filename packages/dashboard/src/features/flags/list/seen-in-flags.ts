import type { Flag } from '@burgee/contract'

/** Every tag of the flags, once, in order. */
export const tagsOf = (flags: readonly Flag[]): string[] =>
  [...new Set(flags.flatMap(({ tags }) => tags))].sort()

/** Every owner, once, regardless of upper and lower case, in order. */
export function ownersOf(flags: readonly Flag[]): string[] {
  const owners = new Map<string, string>()
  for (const { owner_email } of flags) {
    if (owner_email)
      owners.set(owner_email.toLowerCase(), owners.get(owner_email.toLowerCase()) ?? owner_email)
  }
  return [...owners.values()].sort()
}
