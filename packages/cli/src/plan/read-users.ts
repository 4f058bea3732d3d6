import { IMPACT_USERS_MAX, type ImpactUser, isObject } from '@burgee/contract'
import { usageError } from '../command-error.ts'
import { readText } from '../files/read-files.ts'

const USERS_MAX_BYTES = 8 * 1024 * 1024

/** Reads a file with a user on each line, as JSON: `{"user_key": "ann", "attributes": {"plan": "pro"}}`. */
export function readUsers(path: string): ImpactUser[] {
  const lines = readText(path, USERS_MAX_BYTES).split('\n')
  const users = lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [readUser(line, `${path}:${index + 1}`)],
  )
  if (users.length > IMPACT_USERS_MAX)
    throw usageError(`${path} has ${users.length} users; at most ${IMPACT_USERS_MAX} can be counted.`)
  return users
}

function readUser(line: string, place: string): ImpactUser {
  let user: unknown
  try {
    user = JSON.parse(line)
  } catch {
    throw usageError(`${place} is not JSON. Write one object a line, such as {"user_key": "ann"}.`)
  }
  if (!isObject(user) || !(user.user_key === null || typeof user.user_key === 'string'))
    throw usageError(`${place} has no user_key. It must be a text, or null for an anonymous user.`)
  if (user.attributes !== undefined && !isObject(user.attributes))
    throw usageError(`${place}: attributes must be an object.`)
  return user as unknown as ImpactUser
}
