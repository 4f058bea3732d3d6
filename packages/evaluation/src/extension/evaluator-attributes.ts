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
  // Few flags have one, so most are only looked through.
  const isRead = ({ attribute }: Fields) => attribute === USER_KEY
  const isNamed =
    [flag, ...rules].some(({ bucket_by }) => bucket_by === USER_KEY) ||
    rules.some((rule) => isRead(rule) || listOf(rule.conditions).some(isRead))
  if (!isNamed && !((flag.requires ?? []) as unknown[]).includes('user_key')) return null
  const tests = rules.flatMap((rule) => [rule, ...listOf(rule.conditions)])
  const names = new Set([
    ...tests.map(({ attribute }) => attribute),
    ...[flag, ...rules].map(({ bucket_by }) => bucket_by),
  ])
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
