import type { TestServer } from '../harness/start-test-server.ts'

/** A source of repeatable choices. */
export interface Choices {
  below(limit: number): number
  of<T>(values: readonly [T, ...T[]]): T
}

export function createChoices(seed: number): Choices {
  let state = seed
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  return { below, of: (values) => values[below(values.length)] ?? values[0] }
}

export const FLAG_KEYS = ['a', 'b', 'c', 'd', 'e'] as const
const SEGMENT_KEYS = ['s', 't'] as const
const PLANS = ['free', 'pro', 'team'] as const

export const USERS = [
  { user_key: 'ann', attributes: { plan: 'free' } },
  { user_key: 'bob', attributes: { plan: 'pro' } },
  { user_key: 'cid', attributes: { plan: 'team' } },
  { user_key: 'dan', attributes: { plan: 'free' } },
] as const

/** Makes one random edit of flags or segments. Some are refused, such as one of a flag that is not there. */
export async function editRandomly(
  server: TestServer,
  environment: string,
  choices: Choices,
): Promise<number> {
  const key = choices.of(FLAG_KEYS)
  const segment = choices.of(SEGMENT_KEYS)
  const rule = {
    attribute: 'plan',
    operator: choices.of(['equals', 'not_equals']),
    values: [choices.of(PLANS)],
  }
  const named = choices.below(2) === 0 ? rule : { segment_key: segment }
  const flag = {
    is_enabled: choices.below(4) > 0,
    rollout_percentage: choices.of([null, 0, 30, 70]),
    rules: choices.below(2) === 0 ? [] : [named],
    prerequisites: choices.below(3) === 0 ? [{ flag_key: FLAG_KEYS[(FLAG_KEYS.indexOf(key) + 1) % 5] }] : [],
    tags: choices.of([[], ['x'], ['x', 'y']]),
  }
  const flagPath = `${environment}/flags/${key}`
  const segmentPath = `${environment}/segments/${segment}`
  const calls = [
    { method: 'POST', path: `${environment}/flags`, body: { key, ...flag } },
    { method: 'POST', path: `${environment}/flags`, body: { key, ...flag } },
    { method: 'PATCH', path: flagPath, body: flag },
    { method: 'PATCH', path: flagPath, body: { is_enabled: choices.below(2) === 0 } },
    { method: 'PATCH', path: flagPath, body: { rules: flag.rules } },
    { method: 'POST', path: `${flagPath}/archive` },
    { method: 'POST', path: `${flagPath}/unarchive` },
    { method: 'DELETE', path: flagPath },
    { method: 'POST', path: `${environment}/segments`, body: { key: segment, name: segment, rules: [rule] } },
    { method: 'PATCH', path: segmentPath, body: { rules: [rule] } },
    { method: 'PATCH', path: segmentPath, body: { key: SEGMENT_KEYS[segment === 's' ? 1 : 0] } },
    { method: 'DELETE', path: segmentPath },
  ] as const
  const { status } = await server.call(choices.of([calls[0], ...calls]))
  if (status >= 500) throw new Error(`an edit failed with ${status}`)
  return status
}
