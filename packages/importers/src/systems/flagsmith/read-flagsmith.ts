import type { JsonValue } from '@burgee/evaluation'
import { USER_KEY } from '../../conditions.ts'
import type { FlagDraft, Outcome, RuleDraft, Share } from '../../drafts.ts'
import { inSegment, test } from '../../expression.ts'
import {
  isObject,
  type JsonObject,
  jsonOf,
  listOf,
  numberOf,
  objectOf,
  objectsOf,
  textOf,
} from '../../reading.ts'
import { recognizeFiles } from '../../recognition/recognize-files.ts'
import { FlagNotes } from '../../report.ts'
import { MALFORMED, skippedFlag } from '../../skipped-flag.ts'
import type { ReadSystem, SourceFile } from '../../system.ts'
import { typeOf } from '../../type-of.ts'
import { type FlagsmithSegment, segmentOf } from './flagsmith-segments.ts'

/** Reads an environment document of Flagsmith, as its server-side SDKs receive it. */
export const readFlagsmith: ReadSystem = (files, { environment }) => {
  const documents = collectDocuments(files, environment)
  return {
    environments: documents.map(({ document, name }) => {
      const segments = objectsOf(objectOf(document.project).segments).map(segmentOf)
      return {
        environment: name,
        flags: listOf(document.feature_states).map((state, index) =>
          nameOf(objectOf(state)) === null
            ? skippedFlag(`feature_states/${index}`, MALFORMED)
            : featureOf(objectOf(state), { document, segments }),
        ),
        segments: segments.map(({ draft }) => draft),
      }
    }),
    notes: [],
  }
}

interface EnvironmentDocument {
  readonly name: string
  readonly document: JsonObject
}

/** Returns the environment documents of files, with the names that their environments get. */
export const collectDocuments = (
  files: readonly SourceFile[],
  wanted: string | undefined,
): readonly EnvironmentDocument[] =>
  recognizeFiles('flagsmith', files)
    .map(({ data }) => objectOf(data))
    .map((document) => ({ document, name: wanted ?? textOf(document.name) ?? 'production' }))

interface Context {
  readonly document: JsonObject
  readonly segments: readonly FlagsmithSegment[]
}

function featureOf(state: JsonObject, { document, segments }: Context): FlagDraft {
  const key = nameOf(state) ?? ''
  const notes = new FlagNotes()
  const overrides = [...identityOverrides(key, document), ...segmentOverrides(key, segments, notes)]
  const states = [state, ...overrides.map((override) => override.state)]
  const type = typeOfStates(states)
  const isOn = state.enabled === true
  // A segment may have the feature while the environment has not: the flag is then on, and off for others.
  const isEnabled = isOn || overrides.some((override) => override.state.enabled === true)
  const rules = overrides.map(
    ({ share, state: own, when }): RuleDraft => ({
      ...(share && { share }),
      when,
      serve: own.enabled === true ? outcomeOf(own, type, notes) : OFF,
    }),
  )
  return {
    ...{ key, type, notes, isEnabled, prerequisites: [] },
    rules: isEnabled ? rules : [],
    otherwise: {
      serve: isOn ? outcomeOf(state, type, notes) : isEnabled ? OFF : outcomeOf(state, type, notes),
    },
    disabledValue: type === 'boolean' ? false : offValueOf(state, states, notes),
  }
}

const OFF: Outcome = { kind: 'off' }
/** Returns the key of the feature that a state is of. */
export const nameOf = (state: JsonObject): string | null => textOf(objectOf(state.feature).name)

/** Returns whether a feature is only on or off, in each of its states. */
export function isSwitch(key: string, document: JsonObject): boolean {
  const lists = [
    document.feature_states,
    ...objectsOf(objectOf(document.project).segments).map(({ feature_states }) => feature_states),
    ...objectsOf(document.identity_overrides).map(({ identity_features }) => identity_features),
  ]
  return typeOfStates(lists.flatMap(objectsOf).filter((one) => nameOf(one) === key)) === 'boolean'
}

/** A feature without any value is only on or off. */
function typeOfStates(states: readonly JsonObject[]): FlagDraft['type'] {
  const values = states.flatMap((state) => [
    state.feature_state_value,
    ...objectsOf(state.multivariate_feature_state_values).map(optionValue),
  ])
  const given = values.filter((value) => value !== null && value !== undefined && value !== '')
  if (given.length === 0) return 'boolean'
  const type = typeOf(given)
  // The value of a boolean flag states whether it is on; this feature has a value beside that.
  if (type === 'boolean') return 'json'
  return type !== 'string' && values.includes('') ? 'json' : type
}

/** A feature of Flagsmith has its value also while it is off. A flag of Burgee has one such value. */
function offValueOf(state: JsonObject, states: readonly JsonObject[], notes: FlagNotes): JsonValue {
  const off = states.filter(({ enabled }) => enabled !== true).map(valuesOf)
  const [first] = off
  if (!first) return jsonOf(state.feature_state_value)
  const [value = null] = first
  if (off.some((values) => values.length > 1 || JSON.stringify(values) !== JSON.stringify([value])))
    notes.lower('approximated', {
      ...{ code: 'off_value', path: '/disabled_value' },
      message: 'Users for whom the feature is off have different values there. In Burgee they have one.',
    })
  return value
}

/** Returns the values of a state: several where it divides users. */
function valuesOf(state: JsonObject): readonly JsonValue[] {
  const { control, rest, variants } = variantsOf(state)
  return [...variants.map(({ value }) => value), ...(rest > 0 ? [control] : [])]
}

function variantsOf(state: JsonObject) {
  const variants = objectsOf(state.multivariate_feature_state_values)
    .map((one) => ({ value: jsonOf(optionValue(one)), weight: numberOf(one.percentage_allocation) ?? 0 }))
    .filter(({ weight }) => weight > 0)
  const rest = 100 - variants.reduce((sum, { weight }) => sum + weight, 0)
  return { control: jsonOf(state.feature_state_value), variants, rest }
}

const optionValue = (state: JsonObject): unknown => objectOf(state.multivariate_feature_option).value

function outcomeOf(state: JsonObject, type: FlagDraft['type'], notes: FlagNotes): Outcome {
  if (type === 'boolean') return { kind: 'on' }
  const { control, rest, variants } = variantsOf(state)
  const [only] = variants
  if (!only) return { kind: 'value', value: control }
  if (variants.length === 1 && rest <= 0) return { kind: 'value', value: only.value }
  notes.lower('moved', {
    ...{ code: 'multivariate', path: '/multivariate_feature_state_values' },
    message: 'Flagsmith divides users by its own ids. The shares are the same, and other users are in them.',
  })
  const all = rest > 0 ? [...variants, { value: control, weight: rest }] : variants
  return { kind: 'split', variants: all, division: {}, fallback: control }
}

interface Override {
  readonly when: RuleDraft['when']
  readonly state: JsonObject
  readonly share?: Share | null
}

/** Overrides for single users come before those of segments. */
function identityOverrides(key: string, document: JsonObject): readonly Override[] {
  return objectsOf(document.identity_overrides).flatMap((identity) => {
    const identifier = textOf(identity.identifier)
    const state = objectsOf(identity.identity_features).find((one) => nameOf(one) === key)
    return identifier === null || !state ? [] : [{ when: test(USER_KEY, 'equals', [identifier]), state }]
  })
}

/** The override of the segment with the smallest priority number wins. */
function segmentOverrides(
  key: string,
  segments: readonly FlagsmithSegment[],
  notes: FlagNotes,
): readonly Override[] {
  const found = segments.flatMap((segment) => {
    const state = segment.states.find((one) => nameOf(one) === key)
    return state ? [{ segment, state }] : []
  })
  const priority = (state: JsonObject) =>
    numberOf(isObject(state.feature_segment) ? state.feature_segment.priority : null) ??
    Number.POSITIVE_INFINITY
  for (const { segment } of found)
    for (const { code, message } of segment.gaps)
      notes.lower(code === 'percentage_split' ? 'moved' : 'approximated', {
        ...{ code, message, path: `/segments/${segment.draft.key}` },
      })
  return found
    .toSorted((a, b) => (priority(a.state) === priority(b.state) ? 0 : priority(a.state) - priority(b.state)))
    .map(({ segment, state }) => ({ when: inSegment(segment.draft.key), state, share: segment.share }))
}
