import type { JsonValue } from '@burgee/evaluation'
import { USER_KEY } from '../../conditions.ts'
import type { FlagDraft, RuleDraft } from '../../drafts.ts'
import { ALWAYS, all, isSet, not, test } from '../../expression.ts'
import { Gap, orGap } from '../../gap.ts'
import {
  comparedTexts,
  isObject,
  type JsonObject,
  jsonOf,
  listOf,
  numberOf,
  objectOf,
  objectsOf,
  textOf,
  textsOf,
} from '../../reading.ts'
import { FlagNotes } from '../../report.ts'
import { skippedFlag } from '../../skipped-flag.ts'
import { typeOf } from '../../type-of.ts'
import { clausesOf } from './ld-clauses.ts'
import type { LdFlag } from './ld-files.ts'
import { type Served, servedBy, valueAt } from './ld-outcomes.ts'
import { ONLY_COUNTED } from './ld-summary.ts'

/** Translates a flag in one environment. `others` are all flags, which prerequisites name. */
export function flagOf(flag: LdFlag, others: ReadonlyMap<string, LdFlag>): FlagDraft {
  const { key, problem, shared, state, variations } = flag
  if (problem) return skippedFlag(key, problem)
  const notes = new FlagNotes()
  if (shared.migrationSettings !== undefined)
    notes.lower('skipped', {
      code: 'migration',
      path: '',
      message: 'It is a migration, which Burgee does not have.',
    })
  if (state[ONLY_COUNTED] === true)
    notes.lower('skipped', {
      ...{ code: 'summary', path: '' },
      message: 'The file only counts its rules. Request the flags again with summary=0.',
    })
  const type = typeOf(variations.map(({ value }) => value))
  const rules = [...targetsOf(flag, notes), ...rulesOf(flag, notes)]
  const fallthrough = orGap(
    () => servedBy(objectOf(state.fallthrough), flag, notes, '/fallthrough'),
    ({ code, message }) => notes.lower('approximated', { code, path: '/fallthrough', message }),
  )
  return {
    ...{ key, type, notes },
    isEnabled: state.on === true,
    rules: [...rules, ...missingOf(fallthrough)],
    otherwise: { serve: fallthrough?.outcome ?? { kind: 'off' } },
    disabledValue: offValue(flag, type, notes),
    prerequisites: prerequisitesOf(flag, others, notes),
    variantNames: new Map(
      variations.flatMap(({ name, value }) => (name === null ? [] : [[name, jsonOf(value)] as const])),
    ),
    ...facts(shared, state),
  }
}

function facts(shared: JsonObject, state: JsonObject): Partial<FlagDraft> {
  const name = textOf(shared.name)
  const description = textOf(shared.description)
  const isArchived = shared.archived === true || state.archived === true
  const archivedMs = numberOf(shared.archivedDate) ?? numberOf(state.lastModified) ?? 0
  const schema = objectOf(shared.variationJsonSchema)
  return {
    description: [name === shared.key ? null : name, description].filter(Boolean).join('. ') || null,
    tags: comparedTexts(listOf(shared.tags)),
    owner: textOf(objectOf(shared._maintainer).email),
    isPermanent: shared.temporary === false,
    ...(isArchived && { archivedAt: new Date(isTime(archivedMs) ? archivedMs : 0).toISOString() }),
    ...(isObject(shared.variationJsonSchema) && { valueSchema: jsonOf(schema) }),
  }
}

const TIME_MAX = 8.64e15
const isTime = (ms: number) => Math.abs(ms) <= TIME_MAX

/** Lists of keys for a variation come before all rules. */
function targetsOf(flag: LdFlag, notes: FlagNotes): readonly RuleDraft[] {
  const { contextTargets, targets } = flag.state
  const users = objectsOf(targets).filter(({ values }) => listOf(values).length > 0)
  const contexts = objectsOf(contextTargets).flatMap((target) =>
    (textOf(target.contextKind) ?? 'user') === 'user'
      ? // Without keys it is the place of the list of `targets` with the same variation.
        listOf(target.values).length > 0 || users.length === 0
        ? [target]
        : users.filter(({ variation }) => variation === target.variation)
      : otherKind(target, notes),
  )
  const ordered = [...new Set([...contexts, ...users])]
  return ordered.flatMap((target, index) => {
    const path = `/targets/${index}`
    const keys = textsOf(target.values)
    const rule = orGap(
      (): RuleDraft => ({
        when: test(attributeOfTarget(target), 'equals', keys),
        serve: { kind: 'value', value: valueAt(flag, target.variation) },
      }),
      ({ code, message }) => notes.lower('approximated', { code, path, message }),
    )
    return rule === null || keys.length === 0 ? [] : [rule]
  })
}

function otherKind(target: JsonObject, notes: FlagNotes): readonly JsonObject[] {
  notes.lower('approximated', {
    code: 'context_kind',
    path: '/contextTargets',
    message: `It lists contexts of the kind ${textOf(target.contextKind)}. Send their keys as the attribute ${attributeOfTarget(target)}.`,
  })
  return [target]
}

function attributeOfTarget({ contextKind }: JsonObject): string {
  const kind = textOf(contextKind) ?? 'user'
  return kind === 'user' ? USER_KEY : `${kind}.key`
}

function rulesOf(flag: LdFlag, notes: FlagNotes): readonly RuleDraft[] {
  return objectsOf(flag.state.rules).flatMap((rule, index): readonly RuleDraft[] => {
    const path = `/rules/${index}`
    const translated = orGap(
      () => {
        const when = clausesOf(rule, notes, path)
        const served = servedBy(rule, flag, notes, path)
        const description = textOf(rule.description)
        return [
          ...missingOf(served, when),
          { when, serve: served.outcome, ...(description && { description }) },
        ]
      },
      ({ code, message }) =>
        notes.lower('approximated', { code, path, message: `The rule is left out. ${message}` }),
    )
    return translated ?? []
  })
}

/** Users without the attribute of a rollout get its first variation. */
function missingOf(served: Served | null, when = ALWAYS): readonly RuleDraft[] {
  if (!served?.missing) return []
  const { attribute, outcome } = served.missing
  return [{ when: all([when, not(isSet(attribute))]), serve: outcome }]
}

function offValue(flag: LdFlag, type: FlagDraft['type'], notes: FlagNotes): JsonValue {
  const { offVariation } = flag.state
  const path = '/offVariation'
  if (offVariation === undefined || offVariation === null) {
    if (type === 'boolean')
      notes.lower('approximated', {
        ...{ code: 'off_value', path },
        message: 'Without an off variation the code decides while the flag is off. In Burgee it gives false.',
      })
    return null
  }
  return orGap(
    () => valueAt(flag, offVariation),
    ({ code, message }) => notes.lower('approximated', { code, path, message }),
  )
}

function prerequisitesOf(
  { state }: LdFlag,
  others: ReadonlyMap<string, LdFlag>,
  notes: FlagNotes,
): FlagDraft['prerequisites'] {
  return objectsOf(state.prerequisites).flatMap((prerequisite, index) => {
    const path = `/prerequisites/${index}`
    const key = textOf(prerequisite.key)
    const needed = key === null ? undefined : others.get(key)
    const found = orGap(
      () => {
        if (key === null || !needed)
          throw new Gap('unknown_prerequisite', 'It needs a flag that is not here.')
        return { key, value: valueAt(needed, prerequisite.variation) }
      },
      ({ code, message }) => notes.lower('skipped', { code, path, message }),
    )
    if (needed && isMetWhileOff(needed, prerequisite.variation))
      notes.lower('approximated', {
        ...{ code: 'prerequisite_off', path },
        message: `The off variation of ${key} is enough for it where a prerequisite of ${key} fails. In Burgee it is not.`,
      })
    if (found?.value === null)
      notes.lower('approximated', {
        ...{ code: 'prerequisite_null', path },
        message: `It needs ${found.key} to give null. In Burgee any value of ${found.key} is enough.`,
      })
    else if (found && needed && hasTwin(needed, found.value))
      notes.lower('approximated', {
        ...{ code: 'prerequisite_variation', path },
        message: `It needs one variation of ${found.key}, which has another with the same value. In Burgee both satisfy it.`,
      })
    if (found?.value === false && needed)
      notes.lower('approximated', {
        ...{ code: 'prerequisite_false', path },
        message: `It needs ${found.key} to give false. In Burgee a rule that gives false does not satisfy it.`,
      })
    return found ? [found] : []
  })
}

/** A flag that a prerequisite of its own turns off counts as on there, and gives its off variation. */
const isMetWhileOff = ({ state }: LdFlag, variation: unknown): boolean =>
  objectsOf(state.prerequisites).length > 0 && state.offVariation === variation

/** Returns whether several variations of a flag have this value, which is what Burgee compares. */
const hasTwin = ({ variations }: LdFlag, wanted: JsonValue): boolean =>
  variations.filter(({ value }) => isSame(jsonOf(value), wanted)).length > 1

const isSame = (a: JsonValue, b: JsonValue) => JSON.stringify(a) === JSON.stringify(b)
