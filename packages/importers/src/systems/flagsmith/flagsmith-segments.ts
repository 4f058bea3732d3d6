import type { SegmentDraft, Share } from '../../drafts.ts'
import { all, any, type Expression, NEVER, not } from '../../expression.ts'
import { type Flaw, Gap, orGap } from '../../gap.ts'
import { type JsonObject, numberOf, objectsOf, textOf } from '../../reading.ts'
import { ENGINES_DIFFER } from '../../report.ts'
import { conditionOf, type Differ } from './flagsmith-conditions.ts'

export interface FlagsmithSegment {
  readonly draft: SegmentDraft
  /** The share of its users, which the rules that name it have in Burgee. */
  readonly share: Share | null
  /** The states of features that it overrides. */
  readonly states: readonly JsonObject[]
  /** The parts of it that have no equal in Burgee. */
  readonly gaps: readonly Flaw[]
}

export function segmentOf(segment: JsonObject): FlagsmithSegment {
  const key = textOf(segment.name) ?? `segment-${numberOf(segment.id)}`
  const gaps: Flaw[] = []
  const share = splitOf(segment)
  if (share)
    gaps.push({
      code: 'percentage_split',
      message: 'Flagsmith divides users by its own ids. The share is the same, and other users are in it.',
    })
  const rules = objectsOf(segment.rules)
  const differ: Differ = (message) => gaps.push({ code: ENGINES_DIFFER, message })
  const when = orGap(
    // A segment without rules has no users.
    () => (rules.length === 0 ? NEVER : all(rules.map((rule) => ruleOf(rule, { depth: 0, differ })))),
    ({ code, message }) => gaps.push({ code, message: `The segment matches no one. ${message}` }),
  )
  return {
    draft: {
      key,
      name: key,
      description: textOf(segment.description),
      included: [],
      excluded: [],
      rules: when ? [{ when }] : [],
    },
    share,
    states: objectsOf(segment.feature_states),
    gaps,
  }
}

const DEPTH_MAX = 20

interface Place {
  readonly depth: number
  readonly differ: Differ
}

/** The conditions and the inner rules must both hold, each of them combined by the type of the rule. */
function ruleOf(rule: JsonObject, { depth, differ }: Place): Expression {
  if (depth > DEPTH_MAX) throw new Gap('too_deep', 'Its rules are nested too deeply.')
  const [conditions, rules] = [objectsOf(rule.conditions), objectsOf(rule.rules)]
  const isAlone = conditions.length + rules.length === 1
  const isPlain = rule.type === 'ALL' || (rule.type === 'ANY' && isAlone)
  if (!isPlain && hasSplit(rule, depth))
    throw new Gap('split_condition', 'A share of users is one of several conditions.')
  const isClear = rule.type === 'ALL' || (rule.type === 'ANY' && rules.length === 1)
  if (rules.length > 0 && !isClear)
    differ(`The engines of Flagsmith combine rules inside a rule ${textOf(rule.type)} in different ways.`)
  const tests = conditions.filter((one) => !isSplit(one)).map((one) => conditionOf(one, differ))
  const inner = rules.map((one) => ruleOf(one, { depth: depth + 1, differ }))
  return all([combine(rule.type, tests), combine(rule.type, inner)])
}

function combine(type: unknown, parts: readonly Expression[]): Expression {
  if (parts.length === 0) return all([])
  if (type === 'ALL') return all(parts)
  if (type === 'ANY') return any(parts)
  return type === 'NONE' ? not(any(parts)) : NEVER
}

const isSplit = ({ operator }: JsonObject) => operator === 'PERCENTAGE_SPLIT'
const hasSplit = (rule: JsonObject, depth: number) => splitsOf(rule, depth).length > 0

/** Returns the conditions of a rule that are shares of users. */
function splitsOf(rule: JsonObject, depth: number): readonly JsonObject[] {
  const inner = depth < DEPTH_MAX ? objectsOf(rule.rules) : []
  return [...objectsOf(rule.conditions).filter(isSplit), ...inner.flatMap((one) => splitsOf(one, depth + 1))]
}

/** Returns the share of a segment, where one of its conditions is one. */
function splitOf(segment: JsonObject): Share | null {
  const found = objectsOf(segment.rules).flatMap((rule) => splitsOf(rule, 0))
  const shares = found.map(({ value }) => Math.min(100, Math.max(0, numberOf(value) ?? 0)))
  return shares.length === 0 ? null : { thousandths: Math.round(Math.min(...shares) * 1000) }
}
