import { createFlagSet, type EvaluatedFlag, type JsonValue } from '../../src/index.ts'
import { users } from './builders.ts'

/** The users of each comparison. The engines in JavaScript hash UTF-16, so the keys are ASCII. */
const USERS = users(20_000)

/** Returns the users whose value differs from that of the other engine. */
export async function differing(
  flag: EvaluatedFlag,
  ask: (user: string) => JsonValue | undefined | Promise<JsonValue | undefined>,
): Promise<string[]> {
  const set = createFlagSet([flag])
  const different: string[] = []
  for (const user of USERS) if (set.resolve(flag.key, user).value !== (await ask(user))) different.push(user)
  return different
}
