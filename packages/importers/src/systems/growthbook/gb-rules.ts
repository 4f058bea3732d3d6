import { USER_KEY } from '../../conditions.ts'
import { EVERYONE, isPartial } from '../../divide.ts'
import type { Division, RuleDraft, Share, Weighted } from '../../drafts.ts'
import { ALWAYS, all, type Expression, isSet, not, test } from '../../expression.ts'
import { Gap } from '../../gap.ts'
import {
  type JsonObject,
  jsonOf,
  listOf,
  numberOf,
  objectOf,
  objectsOf,
  textForm,
  textOf,
} from '../../reading.ts'
import type { FlagNotes } from '../../report.ts'
import { conditionOf, type GbContext } from './gb-condition.ts'
import { UNTRANSLATABLE } from './gb-rest.ts'

export interface GbRuleContext extends GbContext {
  readonly featureKey: string
  readonly notes: FlagNotes
  readonly path: string
}

/** Translates a rule that forces a value or divides users in an experiment. */
export function ruleOf(rule: JsonObject, context: GbRuleContext): RuleDraft {
  const gap = objectOf(rule[UNTRANSLATABLE])
  if (typeof gap.code === 'string') throw new Gap(gap.code, textForm(gap.message))
  if (listOf(rule.filters).length > 0 || rule.namespace !== undefined)
    throw new Gap('namespace', 'It is bound to a namespace or filter, which Burgee does not have.')
  if (rule.contextualVariations !== undefined)
    throw new Gap('bandit', 'It is a contextual bandit, which Burgee does not have.')
  if (listOf(rule.parentConditions).length > 0)
    throw new Gap('parent_condition', 'It depends on another feature. In Burgee only a whole flag does.')
  if (rule.range !== undefined || rule.ranges !== undefined)
    throw new Gap('explicit_range', 'It names ranges of users, which Burgee does not have.')
  const condition = rule.condition === undefined ? ALWAYS : conditionOf(rule.condition, context)
  const description = textOf(rule.name)
  const named = description ? { description } : {}
  if ('force' in rule) {
    const share = shareOf(rule, context)
    const serve = { kind: 'value', value: jsonOf(rule.force) } as const
    // Without the attribute a rule with a coverage is skipped, also where it covers everyone.
    const isDivided = share !== null && (share.bucketBy !== undefined || !isPartial(share))
    const when = isDivided ? all([condition, isDivisible(share.bucketBy ?? USER_KEY)]) : condition
    return { when, serve, ...(share && { share }), ...named }
  }
  return {
    ...experimentOf(rule, context),
    when: all([condition, isDivisible(hashAttributeOf(rule, context))]),
    ...named,
  }
}

/** An empty text, 0 and false divide no users there. */
const isDivisible = (attribute: string): Expression =>
  attribute === USER_KEY
    ? isSet(attribute)
    : all([isSet(attribute), not(test(attribute, 'equals', ['', '0', 'false']))])

function hashAttributeOf(
  { fallbackAttribute, hashAttribute }: JsonObject,
  { attribute, notes, path }: GbRuleContext,
): string {
  if (fallbackAttribute !== undefined)
    notes.lower('approximated', {
      ...{ code: 'fallback_attribute', path },
      message:
        'It divides users by a second attribute where the first is missing. In Burgee they are not divided.',
    })
  return attribute(textOf(hashAttribute) ?? 'id')
}

/** The seed comes before or after the key, as the version of the hash states. */
function divisionOf(rule: JsonObject, seed: string, context: GbRuleContext): Division {
  const bucketBy = hashAttributeOf(rule, context)
  if (![undefined, null, 1, 2].includes(rule.hashVersion as never))
    throw new Gap('hash_version', `The version ${textForm(rule.hashVersion)} of the hash is unknown.`)
  return {
    hash: rule.hashVersion === 2 ? 'growthbook_2' : 'growthbook_1',
    salt: seed,
    ...(bucketBy !== USER_KEY && { bucketBy }),
  }
}

/** The positions of version 1 are thousandths, those of version 2 ten-thousandths. */
const STEPS = { growthbook_1: 1_000, growthbook_2: 10_000 } as const

/** A forced value reaches users up to the coverage, and those exactly there. */
function shareOf(rule: JsonObject, context: GbRuleContext): Share | null {
  const coverage = numberOf(rule.coverage)
  if (coverage === null) return null
  const division = divisionOf(rule, textOf(rule.seed) ?? context.featureKey, context)
  if (coverage <= 0) return { ...division, thousandths: 0 }
  const steps = STEPS[division.hash === 'growthbook_2' ? 'growthbook_2' : 'growthbook_1']
  const reached = Math.floor(coverage * steps + ROUNDING) + 1
  return { ...division, thousandths: Math.min(EVERYONE, (reached * EVERYONE) / steps) }
}
/** Products of fractions may come out a little too small. */
const ROUNDING = 1e-9

function experimentOf(rule: JsonObject, context: GbRuleContext): Omit<RuleDraft, 'when'> {
  const { notes, path } = context
  const values = listOf(rule.variations).map(jsonOf)
  if (values.length === 0) throw new Gap('malformed', 'It has neither a forced value nor variations.')
  const division = divisionOf(rule, textOf(rule.seed) ?? textOf(rule.key) ?? context.featureKey, context)
  const variants = weighted(values, rule.weights)
  notes.remark('experiment', path, 'It is an experiment. Its shares are kept, its results are not.')
  if (objectsOf(rule.meta).some(({ passthrough }) => passthrough === true))
    throw new Gap('holdout', 'A variation passes users on to the next rule.')
  const coverage = numberOf(rule.coverage) ?? 1
  const serve = { kind: 'split', variants, division } as const
  if (coverage >= 1) return { serve }
  notes.lower('moved', {
    ...{ code: 'coverage', path },
    message: 'The experiment reaches a part of all users. The part is as large, and other users are in it.',
  })
  return { serve, share: { ...division, thousandths: Math.round(Math.max(0, coverage) * EVERYONE) } }
}

/** Weights are fractions of 1. Without them, or where they do not fit, all are equal. */
function weighted(values: readonly ReturnType<typeof jsonOf>[], weights: unknown): readonly Weighted[] {
  const given = listOf(weights).map((weight) => numberOf(weight) ?? 0)
  const sum = given.reduce((total, weight) => total + weight, 0)
  const isUsable = given.length === values.length && sum >= 0.99 && sum <= 1.01
  return values.map((value, index) => ({
    value,
    weight: isUsable ? Math.round((given[index] ?? 0) * PARTS) : 1,
  }))
}
const PARTS = 10_000
