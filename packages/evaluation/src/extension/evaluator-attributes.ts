import { type Fields, listOf } from '../assert-valid.ts'

const USER_KEY = '$user_key'

/**
 * Compiles the attributes that a flag sees whose `$` attributes are the evaluator's: those that it reads,
 * with `$user_key` as given or else the user key, and without every other one that begins with `$`. Null for
 * a flag that sees the attributes as they are.
 */
export function compileEvaluatorAttributes(
  flag: Fields,
  rules: readonly Fields[],
): ((attributes: object, userKey: string | null) => object) | null {
  const tests = rules.flatMap((rule) => [rule, ...listOf(rule.conditions)])
  const names = new Set([
    ...tests.map(({ attribute }) => attribute),
    ...[flag, ...rules].map(({ bucket_by }) => bucket_by),
  ])
  if (!names.has(USER_KEY) && !((flag.requires ?? []) as unknown[]).includes('user_key')) return null
  const read = [...names].map(String).filter((name) => name === USER_KEY || !name.startsWith('$'))
  return (attributes, userKey) => {
    const seen: Record<string, unknown> = Object.create(null)
    for (const name of read) {
      const given = Object.hasOwn(attributes, name) ? (attributes as Fields)[name] : null
      seen[name] = name === USER_KEY ? (given ?? userKey) : given
    }
    return seen
  }
}
