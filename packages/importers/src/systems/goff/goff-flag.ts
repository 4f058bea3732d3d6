import type { JsonValue } from '@burgee/evaluation'
import type { FlagDraft, Outcome, RuleDraft } from '../../drafts.ts'
import { ALWAYS, type Expression, hasText, isSet, not } from '../../expression.ts'
import { orGap } from '../../gap.ts'
import { metadataOf } from '../../metadata-of.ts'
import { isObject, type JsonObject, jsonOf, objectOf, objectsOf, textOf } from '../../reading.ts'
import { FlagNotes } from '../../report.ts'
import { typeOf } from '../../type-of.ts'
import { conditionOf } from '../flagd/flagd-logic.ts'
import { applySchedule, isOutsideExperiment, rulesIn } from './goff-clock.ts'
import { dividesUsers, outcomeOf } from './goff-outcomes.ts'
import { parseQuery } from './goff-query.ts'
import { joinLines } from './goff-tokens.ts'

interface GoffContext {
  readonly nowMs: number
}

/** Translates a flag of GO Feature Flag. */
export function flagOf(key: string, given: JsonObject, { nowMs }: GoffContext): FlagDraft {
  const notes = new FlagNotes()
  const flag = applySchedule(given, nowMs, notes)
  const variations = objectOf(flag.variations)
  const bucketBy = textOf(flag.bucketingKey)
  const type = typeOf(Object.values(variations))
  const isOff = isOutsideExperiment(flag, nowMs, notes) || flag.disable === true
  const context = { key, notes, nowMs, variations, bucketBy }
  const rules = rulesIn(flag.targeting).flatMap((rule, index): readonly RuleDraft[] => {
    const path = `/targeting/${index}`
    if (rule.disable === true) return []
    const translated = orGap(
      () => ({
        when: queryOf(rule, { flagKey: key, notes, path }),
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
  const withoutKey = bucketBy === null ? [] : [ruleWithoutKey(bucketBy, given, notes)]
  if (type === 'boolean')
    noteBoolean(notes, {
      isOff,
      hasBucketingKey: bucketBy !== null,
      serves: [serve, ...rules.map((rule) => rule.serve)],
    })
  return {
    ...{ key, type, notes, rules: [...withoutKey, ...rules], prerequisites: [], disabledValue: null },
    isEnabled: !isOff,
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

/**
 * The code decides for users without the bucketing key, whatever the rules are. An empty text is no key where
 * the flag, or a step of its schedule, divides users.
 */
function ruleWithoutKey(bucketBy: string, flag: JsonObject, notes: FlagNotes): RuleDraft {
  const states = [flag, ...objectsOf(flag.scheduledRollout)]
  const isDividing = states.some(({ defaultRule, targeting }) =>
    [objectOf(defaultRule), ...objectsOf(targeting)].some(dividesUsers),
  )
  notes.remark(
    'bucketing_type',
    '/bucketingKey',
    `Send ${bucketBy} as a text. Users with another type get the default of the code there.`,
  )
  return { when: not(isDividing ? hasText(bucketBy) : isSet(bucketBy)), serve: { kind: 'off' } }
}

interface BooleanParts {
  readonly isOff: boolean
  readonly hasBucketingKey: boolean
  readonly serves: readonly Outcome[]
}

function noteBoolean(notes: FlagNotes, { hasBucketingKey, isOff, serves }: BooleanParts): void {
  if (serves.some(({ kind }) => kind === 'split'))
    notes.lower('moved', {
      ...{ code: 'boolean_share', path: '/defaultRule' },
      message:
        'A boolean flag divides users by whole percent: the shares are the same, and other users are in them.',
    })
  if (isOff)
    notes.lower('approximated', {
      ...{ code: 'code_default', path: '/disable' },
      message: 'While the flag is disabled, the code decides. In Burgee it gives false.',
    })
  if (hasBucketingKey)
    notes.lower('approximated', {
      ...{ code: 'code_default', path: '/bucketingKey' },
      message: 'For users without the bucketing key the code decides. In Burgee the flag gives false.',
    })
}

interface QueryContext {
  readonly flagKey: string
  readonly notes: FlagNotes
  readonly path: string
}

/** A rule without a query is for everyone. Some queries are JSONLogic. */
function queryOf({ query }: JsonObject, { flagKey, notes, path }: QueryContext): Expression {
  const text = joinLines(textOf(query) ?? '')
  if (text === '') return ALWAYS
  const approximate = (code: string, message: string) => notes.lower('approximated', { code, path, message })
  const logic = parseLogic(text)
  if (logic) return conditionOf(logic, { flagKey, approximate, dialect: 'goff' })
  const { comparisons, fractions, ignored, nested, nestedNumbers, when } = parseQuery(text)
  if (ignored !== '')
    notes.remark(
      'query_end',
      path,
      `GO Feature Flag ignores ${JSON.stringify(ignored.slice(0, 100))} at the end of the query: only "and" and "or" in small letters, with spaces around them, go on. So does Burgee.`,
    )
  if (fractions[0] !== undefined)
    notes.remark(
      'number_literal',
      path,
      `${fractions[0]} is a number and no version: send numbers. No text matches it there, also not "${fractions[0]}".`,
    )
  if (comparisons > 1 && nested[0] !== undefined)
    approximate(
      'missing_object',
      `Where a user has no object for ${nested[0]}, GO Feature Flag compares with the attribute before it.`,
    )
  if (nestedNumbers[0] !== undefined)
    approximate(
      'nested_number',
      `Whether ${nestedNumbers[0]} is in the list depends on how the program sends it.`,
    )
  return when
}

function parseLogic(text: string): JsonObject | null {
  try {
    const logic: unknown = JSON.parse(text)
    return isObject(logic) ? logic : null
  } catch {
    return null
  }
}
