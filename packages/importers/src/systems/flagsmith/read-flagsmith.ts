import type { JsonValue } from '@burgee/evaluation'
import { USER_KEY } from '../../conditions.ts'
import type { FlagDraft, Outcome, RuleDraft, Share } from '../../drafts.ts'
import { inSegment, test } from '../../expression.ts'
import { isObject, type JsonObject, jsonOf, numberOf, objectOf, objectsOf, textOf } from '../../reading.ts'
import { FlagNotes } from '../../report.ts'
import { type ReadSystem, UnreadableFile } from '../../system.ts'
import { typeOf } from '../../type-of.ts'
import { type FlagsmithSegment, segmentOf } from './flagsmith-segments.ts'

/** Reads an environment document of Flagsmith, as its server-side SDKs receive it. */
export const readFlagsmith: ReadSystem = (files, { environment }) => {
  const documents = files
    .map(({ data }) => objectOf(data))
    .filter(({ feature_states }) => Array.isArray(feature_states))
  if (documents.length === 0)
    throw new UnreadableFile(
      'There are no feature_states in these files. Give the answer of /api/v1/environment-document/.',
    )
  return {
    environments: documents.map((document) => {
      const segments = objectsOf(objectOf(document.project).segments).map(segmentOf)
      return {
        environment: environment ?? textOf(document.name) ?? 'production',
        flags: objectsOf(document.feature_states).flatMap((state) =>
          featureOf(state, { document, segments }),
        ),
        segments: segments.map(({ draft }) => draft),
      }
    }),
    notes: [],
  }
}

interface Context {
  readonly document: JsonObject
  readonly segments: readonly FlagsmithSegment[]
}

function featureOf(state: JsonObject, { document, segments }: Context): readonly FlagDraft[] {
  const key = nameOf(state)
  if (key === null) return []
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
  return [
    {
      ...{ key, type, notes, isEnabled, prerequisites: [] },
      rules: isEnabled ? rules : [],
      otherwise: {
        serve: isOn ? outcomeOf(state, type, notes) : isEnabled ? OFF : outcomeOf(state, type, notes),
      },
      disabledValue: type === 'boolean' ? false : jsonOf(state.feature_state_value),
    },
  ]
}

const OFF: Outcome = { kind: 'off' }
const nameOf = (state: JsonObject) => textOf(objectOf(state.feature).name)

/** A feature without any value is only on or off. */
function typeOfStates(states: readonly JsonObject[]): FlagDraft['type'] {
  const values = states.flatMap((state) => [
    state.feature_state_value,
    ...objectsOf(state.multivariate_feature_state_values).map(optionValue),
  ])
  const given = values.filter((value) => value !== null && value !== undefined && value !== '')
  if (given.length === 0) return 'boolean'
  const type = typeOf(given)
  // The value of a boolean flag says whether it is on; this feature has a value beside that.
  return type === 'boolean' ? 'json' : type
}

const optionValue = (state: JsonObject): unknown => objectOf(state.multivariate_feature_option).value

function outcomeOf(state: JsonObject, type: FlagDraft['type'], notes: FlagNotes): Outcome {
  if (type === 'boolean') return { kind: 'on' }
  const control: JsonValue = jsonOf(state.feature_state_value)
  const variants = objectsOf(state.multivariate_feature_state_values)
    .map((one) => ({ value: jsonOf(optionValue(one)), weight: numberOf(one.percentage_allocation) ?? 0 }))
    .filter(({ weight }) => weight > 0)
  const rest = 100 - variants.reduce((sum, { weight }) => sum + weight, 0)
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
