/** Names the user in a sentence. */
export function nameSubject(user_key: string | null): string {
  if (user_key === null) return 'an anonymous user'
  return user_key === '' ? 'the user with the empty key' : user_key
}
