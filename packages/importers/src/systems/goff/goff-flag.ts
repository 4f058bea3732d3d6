import type { JsonValue } from '@burgee/evaluation'
import { USER_KEY } from '../../conditions.ts'
import type { FlagDraft, Outcome, RuleDraft, Weighted } from '../../drafts.ts'
import { ALWAYS, type Expression } from '../../expression.ts'
import { Gap, orGap } from '../../gap.ts'
import { metadataOf } from '../../metadata-of.ts'
import { type JsonObject, jsonOf, numberOf, objectOf, objectsOf, textForm, textOf } from '../../reading.ts'
import { FlagNotes } from '../../report.ts'
import { typeOf } from '../../type-of.ts'
import { conditionOf } from '../flagd/flagd-logic.ts'
import { parseQuery } from './goff-query.ts'

export interface GoffContext {
  readonly nowMs: number
}

/** Translates a flag of GO Feature Flag. */
export function flagOf(key: string, flag: JsonObject, { nowMs }: GoffContext): FlagDraft {
  const notes = new FlagNotes()
  const variations = objectOf(flag.variations)
  const bucketBy = textOf(flag.bucketingKey)
  const context = { key, notes, nowMs, variations, bucketBy }
  const type = typeOf(Object.values(variations))
  checkClock(flag, notes)
  const rules = objectsOf(flag.targeting).flatMap((rule, index): readonly RuleDraft[] => {
    const path = `/targeting/${index}`
    if (rule.disable === true) return []
    const translated = orGap(
      () => ({
        when: queryOf(rule, key, notes),
        serve: outcomeOf(rule, { ...context, path }),
        ...named(rule),
      }),
      ({ code, message }) =>
        notes.lower('approximated', { code, path, message: `The rule is left out. ${message}` }),
    )
    return translated ? [translated] : []
  })
  const serve = orGap(
    () => outcomeOf(objectOf(flag.defaultRule), { ...context, path: '/defaultRule' }),
    ({ code, message }) => notes.lower('skipped', { code, path: '/defaultRule', message }),
  ) ?? { kind: 'off' as const }
  const isDivided = [serve, ...rules.map((rule) => rule.serve)].some(({ kind }) => kind === 'split')
  if (type === 'boolean' && isDivided)
    notes.lower('moved', {
      ...{ code: 'boolean_share', path: '/defaultRule' },
      message:
        'A boolean flag divides users by whole percent: the shares are the same, and other users are in them.',
    })
  if (type === 'boolean' && flag.disable === true)
    notes.lower('approximated', {
      ...{ code: 'code_default', path: '/disable' },
      message: 'While the flag is disabled, the code decides. In Burgee it gives false.',
    })
  return {
    ...{ key, type, notes, rules, prerequisites: [], disabledValue: null },
    isEnabled: flag.disable !== true,
    otherwise: { serve },
    variantNames: new Map(Object.entries(variations).map(([name, value]) => [name, jsonOf(value)])),
    metadata: metadataOf(objectOf(flag.metadata)),
    description: textOf(objectOf(flag.metadata).description),
    ...(type === 'json' && { valueSchema: schemaOf(Object.values(variations)) }),
  }
}

const named = (rule: JsonObject) => {
  const description = textOf(rule.name)
  return description ? { description } : {}
}

/** Fractions are numbers for every client; anything else needs no schema. */
const schemaOf = (values: readonly unknown[]): JsonValue =>
  values.every((value) => typeof value === 'number') ? { type: 'number' } : null

function checkClock(flag: JsonObject, notes: FlagNotes): void {
  if (flag.scheduledRollout !== undefined)
    notes.lower('approximated', {
      ...{ code: 'clock', path: '/scheduledRollout' },
      message: 'Its steps are not imported. Schedule each as a change of the flag.',
    })
  if (flag.experimentation !== undefined)
    notes.lower('approximated', {
      ...{ code: 'clock', path: '/experimentation' },
      message: 'It serves only between two times. In Burgee it always does; schedule when it is switched.',
    })
}

/** A rule without a query is for everyone. Some queries are JSONLogic. */
function queryOf({ query }: JsonObject, flagKey: string, notes: FlagNotes): Expression {
  const text = textOf(query)
  if (text === null) return ALWAYS
  if (!text.trimStart().startsWith('{')) return parseQuery(text)
  const approximate = (code: string, message: string) =>
    notes.lower('approximated', { code, path: '/targeting', message })
  return conditionOf(parseLogic(text), { flagKey, approximate, dialect: 'goff' })
}

function parseLogic(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new Gap('query', 'The query is neither a query nor JSON.')
  }
}

interface OutcomeContext extends GoffContext {
  readonly key: string
  readonly notes: FlagNotes
  readonly variations: JsonObject
  readonly bucketBy: string | null
  readonly path: string
}

function outcomeOf(rule: JsonObject, context: OutcomeContext): Outcome {
  if (rule.progressiveRollout !== undefined) return progressOf(objectOf(rule.progressiveRollout), context)
  const percentages = Object.entries(objectOf(rule.percentage))
  if (percentages.length === 0) return { kind: 'value', value: variationOf(rule.variation, context) }
  // Variations are in the order of their names there, backwards.
  const variants = percentages
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .map(
      ([name, percentage]): Weighted => ({
        value: variationOf(name, context),
        weight: Math.round(Math.max(0, numberOf(percentage) ?? 0) * PARTS),
      }),
    )
    .filter(({ weight }) => weight > 0)
  const [only] = variants
  if (!only) throw new Gap('malformed', 'Its percentages are all 0.')
  return variants.length === 1 ? { kind: 'value', value: only.value } : divide(variants, context)
}
const PARTS = 1000

const divide = (variants: readonly Weighted[], { bucketBy, key }: OutcomeContext): Outcome => ({
  kind: 'split',
  variants,
  division: {
    ...{ hash: 'go_feature_flag', salt: key },
    ...(bucketBy !== null && bucketBy !== USER_KEY && { bucketBy }),
  },
})

/** The share grows with the clock, which no flag of Burgee reads: it is as it is now. */
function progressOf(rollout: JsonObject, context: OutcomeContext): Outcome {
  const { nowMs, notes, path } = context
  const [initial, end] = [objectOf(rollout.initial), objectOf(rollout.end)]
  const [from, to] = [timeOf(initial.date), timeOf(end.date)]
  const [first, last] = [numberOf(initial.percentage) ?? 0, numberOf(end.percentage) ?? 100]
  if (from === null || to === null || to <= from)
    throw new Gap('malformed', 'Its progressive rollout has no two times.')
  const progress = Math.min(1, Math.max(0, (nowMs - from) / (to - from)))
  const percentage = first + (last - first) * progress
  if (progress < 1)
    notes.lower('approximated', {
      ...{ code: 'clock', path },
      message: `Its share grows with time until ${new Date(to).toISOString()}. It is as now: ${Math.round(percentage)}%. Schedule the steps.`,
    })
  const weights = [
    { value: variationOf(end.variation, context), weight: Math.round(percentage * PARTS) },
    { value: variationOf(initial.variation, context), weight: Math.round((100 - percentage) * PARTS) },
  ].filter(({ weight }) => weight > 0)
  const [only] = weights
  return weights.length === 1 && only ? { kind: 'value', value: only.value } : divide(weights, context)
}

/** YAML gives a time as a date, JSON as a text. */
function timeOf(value: unknown): number | null {
  const at = value instanceof Date ? value.getTime() : Date.parse(textForm(value))
  return Number.isNaN(at) ? null : at
}

function variationOf(name: unknown, { variations }: OutcomeContext): JsonValue {
  const key = textForm(name)
  if (!Object.hasOwn(variations, key))
    throw new Gap('malformed', `There is no variation ${JSON.stringify(key)}.`)
  return jsonOf(variations[key])
}
