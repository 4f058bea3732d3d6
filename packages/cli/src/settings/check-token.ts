import { usageError } from '../command-error.ts'

/**
 * Returns a token without the blanks and line breaks around it, which come with copying and with files.
 * `source` states in the error where it is from; the token itself is never printed.
 */
export function checkToken(given: string, source: string): string {
  const token = given.trim()
  const wrong = /[^\x21-\x7e]/.exec(token)
  if (wrong === null) return token
  const kind = /\s/.test(wrong[0]) ? 'a blank or line break inside' : 'a character'
  throw usageError(`${source} has ${kind} that no token has. Copy the token again, and nothing else.`)
}
