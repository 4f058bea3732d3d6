import { type Fields, listOf } from '../assert-valid.ts'
import { USER_KEY_ATTRIBUTE } from '../requirements.ts'

/**
 * Compiles the attributes that a flag sees whose `$` attributes are the evaluator's: those that it reads,
 * with `$user_key` as given or else the user key, and without every other one that begins with `$`.
 */
export function compileEvaluatorAttributes(
  flag: Fields,
): (attributes: object, userKey: string | null) => object {
  const rules = listOf(flag.rules)
  const tests = rules.flatMap((rule) => [rule, ...listOf(rule.conditions)])
  const names = new Set([
    ...tests.map(({ attribute }) => attribute as string),
    ...[flag, ...rules].map(({ bucket_by }) => bucket_by as string),
  ])
  const read = [...names].filter((name) => name === USER_KEY_ATTRIBUTE || !String(name).startsWith('$'))
  return (attributes, userKey) => {
    const seen: Record<string, unknown> = Object.create(null)
    for (const name of read) {
      if (Object.hasOwn(attributes, name)) seen[name] = (attributes as Fields)[name]
      else if (name === USER_KEY_ATTRIBUTE) seen[name] = userKey
    }
    return seen
  }
}
