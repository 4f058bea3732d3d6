import { type JsonObject, listOf, numberOf, objectOf, objectsOf, textForm, textOf } from '../../reading.ts'
import type { FlagNotes } from '../../report.ts'

/** Returns a time in milliseconds: YAML gives it as a date, JSON as a text. */
export function timeOf(value: unknown): number | null {
  const at = value instanceof Date ? value.getTime() : Date.parse(textForm(value))
  return Number.isNaN(at) ? null : at
}

/** Returns the flag after the steps of its schedule that are due. Steps to come are in the notes. */
export function applySchedule(flag: JsonObject, nowMs: number, notes: FlagNotes): JsonObject {
  const steps = objectsOf(flag.scheduledRollout).map((step) => ({ step, at: timeOf(step.date) }))
  const due = steps.filter(({ at }) => at !== null && at <= nowMs)
  if (steps.some(({ at }) => at !== null && at > nowMs))
    notes.lower('approximated', {
      ...{ code: 'clock', path: '/scheduledRollout' },
      message: 'Its later steps are not imported. Schedule each as a change of the flag.',
    })
  if (due.length > STEPS_MAX) {
    const message = `More than ${STEPS_MAX} steps of its schedule are due.`
    notes.lower('skipped', { code: 'too_many_steps', path: '/scheduledRollout', message })
    return flag
  }
  return due
    .toSorted((a, b) => Number(a.at) - Number(b.at))
    .reduce((now, { step }) => applyStep(now, step), flag)
}

/** Each step may change each rule. */
const STEPS_MAX = 200

function applyStep(flag: JsonObject, step: JsonObject): JsonObject {
  return {
    ...flag,
    targeting: mergeRules(rulesIn(flag.targeting), rulesIn(step.targeting)),
    ...(typeof step.disable === 'boolean' && { disable: step.disable }),
    ...(given(step.defaultRule) && {
      defaultRule: mergeRule(objectOf(flag.defaultRule), objectOf(step.defaultRule)),
    }),
    variations: { ...objectOf(flag.variations), ...objectOf(step.variations) },
    ...(given(step.experimentation) && {
      experimentation: overlay(objectOf(flag.experimentation), objectOf(step.experimentation)),
    }),
  }
}

/** Returns the rules of a flag. The service reads an item that is no rule as one without a query. */
export const rulesIn = (targeting: unknown): readonly JsonObject[] => listOf(targeting).map(objectOf)

const given = (value: unknown) => value !== undefined && value !== null

/** Returns an object with the fields of another one that are given there. */
const overlay = (object: JsonObject, changes: JsonObject): JsonObject => ({
  ...object,
  ...Object.fromEntries(Object.entries(changes).filter(([, value]) => given(value))),
})

/** A rule with a name that is there already is changed, any other one is added. */
function mergeRules(rules: readonly JsonObject[], updates: readonly JsonObject[]): readonly JsonObject[] {
  const byName = new Map(updates.flatMap((one) => (textOf(one.name) ? [[textOf(one.name), one]] : [])))
  const names = new Set(rules.map(({ name }) => textOf(name)))
  return [
    ...rules.map((rule) => mergeRule(rule, byName.get(textOf(rule.name)) ?? {})),
    ...updates.filter(({ name }) => textOf(name) === null || !names.has(textOf(name))),
  ]
}

function mergeRule(rule: JsonObject, update: JsonObject): JsonObject {
  const { percentage, progressiveRollout } = update
  const { disable, query, variation } = update
  return {
    ...overlay(rule, { disable, query, variation }),
    ...(given(progressiveRollout) && {
      progressiveRollout: {
        initial: overlay(partOf(rule, 'initial'), partOf(update, 'initial')),
        end: overlay(partOf(rule, 'end'), partOf(update, 'end')),
      },
    }),
    ...(given(percentage) && { percentage: mergeShares(objectOf(rule.percentage), objectOf(percentage)) }),
  }
}

const partOf = ({ progressiveRollout }: JsonObject, part: string): JsonObject =>
  objectOf(objectOf(progressiveRollout)[part])

/** A negative percentage takes the variation away. */
const mergeShares = (shares: JsonObject, changes: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(overlay(shares, changes)).filter(
      ([name]) => !Object.hasOwn(changes, name) || (numberOf(changes[name]) ?? 0) >= 0,
    ),
  )

/** Returns whether an experiment lets the code decide now. What changes later is in the notes. */
export function isOutsideExperiment(flag: JsonObject, nowMs: number, notes: FlagNotes): boolean {
  if (!given(flag.experimentation)) return false
  const { end, start } = objectOf(flag.experimentation)
  const [from, to] = [timeOf(start), timeOf(end)]
  const path = '/experimentation'
  if (to !== null && nowMs > to) {
    notes.remark('clock', path, 'The experiment is over, so that the flag is off.')
    return true
  }
  const isEarly = from !== null && nowMs < from
  if (isEarly || to !== null)
    notes.lower('approximated', {
      ...{ code: 'clock', path },
      message: `The experiment ${isEarly ? 'has not begun' : 'ends later'}. Schedule when the flag is switched.`,
    })
  return isEarly
}
