import type { Random } from '../../../packages/server/test/fuzz/random.ts'

/** A request in the form of the generated hostile input. `:env_id` is the environment under attack. */
export interface EvaluationRequest {
  readonly as: 'client' | 'server'
  readonly method: 'POST'
  readonly path: string
  readonly body: object
}

const FLAGS = '/api/environments/:env_id/flags'
const BULK = '/ofrep/v1/evaluate/flags'
/** Some patterns together have at most 5,000 states. */
const PATTERNS: readonly string[] = [
  '(?:[a-m]?[n-z]?){240}1',
  '.{0,400}x',
  '(?:a?b?){200}z',
  '(a|b|ab){40}(.a.b){30}c{200}$',
  '\\b.{0,300}\\bx',
  '(?i)(?:straße|k){30}',
]
const OPERATORS: readonly string[] = [
  'contains',
  'not_contains',
  'starts_with',
  'not_ends_with',
  'equals',
  'not_in',
  'greater_than',
  'semver_equal',
  'not_semver_less_than',
  'before',
]

/** Flags whose tests multiply with the attributes, and users who have lists and long texts. */
export const evaluations = {
  name: 'evaluations',
  create(random: Random): readonly EvaluationRequest[] {
    const flags = Array.from({ length: random.integer(1, 8) }, (_, at) => costlyFlag(random, `costly-${at}`))
    const context = { targetingKey: text(random, random.integer(1, 200)), it: attribute(random) }
    return [
      ...flags.map((body) => ({ as: 'server', method: 'POST', path: FLAGS, body }) as const),
      { as: 'client', method: 'POST', path: BULK, body: { context } },
      { as: 'client', method: 'POST', path: `${BULK}/costly-0`, body: { context } },
      {
        ...({ as: 'server', method: 'POST', path: '/api/environments/:env_id/evaluate' } as const),
        body: { user_key: 'ann', attributes: context },
      },
      {
        ...({ as: 'server', method: 'POST', path: '/api/environments/:env_id/impact' } as const),
        body: {
          changes: [{ flag_key: 'costly-0', operation: 'patch', patch: { rollout_percentage: 50 } }],
          users: Array.from({ length: 5 }, (_, at) => ({ user_key: `user-${at}`, attributes: context })),
        },
      },
    ]
  },
}

function costlyFlag(random: Random, key: string): object {
  const rules = Array.from({ length: random.integer(1, 5) }, () => costlyRule(random))
  return { key, is_enabled: true, rollout_percentage: 0, rules }
}

function costlyRule(random: Random): object {
  if (random.integer(0, 2) === 0) {
    const pattern = PATTERNS[random.integer(0, PATTERNS.length - 1)] ?? ''
    return { attribute: 'it', operator: 'matches', values: [pattern] }
  }
  const operator = OPERATORS[random.integer(0, OPERATORS.length - 1)] ?? 'contains'
  const count = 10 ** random.integer(0, 4)
  const values = Array.from({ length: count }, (_, at) => toValue(random, operator, at))
  return { attribute: 'it', operator, values }
}

function toValue(random: Random, operator: string, at: number): string {
  if (operator.includes('semver')) return `1.${at}.0`
  if (operator === 'before' || operator === 'greater_than') return String(at)
  return `${text(random, random.integer(1, 40))}${at}`
}

function attribute(random: Random): unknown {
  const length = [1, 36, 508, 5_000, 200_000][random.integer(0, 4)] ?? 1
  const count = Math.min(10 ** random.integer(0, 5), Math.floor(800_000 / (length * 3 + 3)))
  const seeds = Array.from({ length: 50 }, () => text(random, length))
  const list = Array.from({ length: count }, (_, at) => `${seeds[at % seeds.length]}${at}`)
  return random.integer(0, 3) === 0 ? list[0] : list
}

/** Texts of few characters repeat, so that searches and automata are at their worst. */
function text(random: Random, length: number): string {
  const [from, to] = random.integer(0, 1) === 0 ? ['a', 'b'] : ['一', '龥']
  const low = from.charCodeAt(0)
  const high = to.charCodeAt(0)
  return Array.from({ length }, () => String.fromCharCode(random.integer(low, high))).join('')
}
