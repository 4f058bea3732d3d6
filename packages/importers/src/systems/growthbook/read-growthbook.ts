import { USER_KEY } from '../../conditions.ts'
import type { FlagDraft, RuleDraft, SegmentDraft } from '../../drafts.ts'
import { test } from '../../expression.ts'
import { orGap } from '../../gap.ts'
import {
  comparedTexts,
  isObject,
  type JsonObject,
  jsonOf,
  listOf,
  objectOf,
  objectsOf,
  textOf,
} from '../../reading.ts'
import { FlagNotes } from '../../report.ts'
import { type ReadSystem, UnreadableFile } from '../../system.ts'
import { typeOf } from '../../type-of.ts'
import { collectFeatures, type GbFeature } from './gb-files.ts'
import { ruleOf } from './gb-rules.ts'

/** Reads what GrowthBook's SDKs receive, or the answer of its REST API for features. */
export const readGrowthBook: ReadSystem = (files, { environment }) => {
  const { environments, savedGroups } = collectFeatures(files, environment)
  if (environments.size === 0)
    throw new UnreadableFile(
      'There are no features in these files. Give the answer of /api/features/{key}, or of /api/v1/features.',
    )
  return {
    environments: [...environments].map(([name, features]) => {
      const segments = new Map<string, SegmentDraft>()
      const flags = features.map((feature) => featureOf(feature, { savedGroups, segments }))
      return { environment: name, flags, segments: [...segments.values()] }
    }),
    notes: [],
  }
}

interface Groups {
  readonly savedGroups: JsonObject
  /** The segments that were needed so far, by key. */
  readonly segments: Map<string, SegmentDraft>
}

function featureOf({ facts, feature, isEnabled, key }: GbFeature, groups: Groups): FlagDraft {
  const notes = new FlagNotes()
  const gates = objectsOf(feature.rules).filter(isGate)
  const context = { featureKey: key, notes, attribute: attributeIn(notes), group: groupIn(groups) }
  const rules = objectsOf(feature.rules)
    .filter((rule) => !isGate(rule) && rule.enabled !== false)
    .flatMap((rule, index): readonly RuleDraft[] => {
      const path = `/rules/${index}`
      const translated = orGap(
        () => ruleOf(rule, { ...context, path }),
        ({ code, message }) =>
          notes.lower('approximated', { code, path, message: `The rule is left out. ${message}` }),
      )
      return translated ? [translated] : []
    })
  const defaultValue = jsonOf(feature.defaultValue)
  return {
    ...{ key, notes, isEnabled, rules },
    type: typeOf([defaultValue, ...valuesOf(rules)]),
    otherwise: { serve: { kind: 'value', value: defaultValue } },
    disabledValue: null,
    prerequisites: gates.flatMap((gate) =>
      objectsOf(gate.parentConditions).flatMap((one) => parentOf(one, notes)),
    ),
    description: textOf(facts.description),
    tags: comparedTexts(listOf(facts.tags)),
    owner: textOf(facts.owner),
    ...(facts.archived === true && {
      archivedAt: textOf(facts.dateUpdated) ?? '1970-01-01T00:00:00.000Z',
    }),
  }
}

/** A rule that only demands other features is a prerequisite of the whole feature. */
const isGate = (rule: JsonObject) =>
  !('force' in rule) &&
  !('variations' in rule) &&
  objectsOf(rule.parentConditions).some(({ gate }) => gate === true)

function parentOf({ condition, id }: JsonObject, notes: FlagNotes): FlagDraft['prerequisites'] {
  const key = textOf(id)
  const value = objectOf(condition).value
  if (key === null) return []
  if (value === true || typeof value === 'string' || typeof value === 'number') return [{ key, value }]
  if (isObject(value) && value.$exists === true) return [{ key }]
  notes.lower('approximated', {
    ...{ code: 'parent_condition', path: '/prerequisites' },
    message: `It needs ${key} to meet a condition. In Burgee it needs ${key} to be on.`,
  })
  return [{ key }]
}

const valuesOf = (rules: readonly RuleDraft[]) =>
  rules.flatMap(({ serve }) =>
    serve.kind === 'value'
      ? [serve.value]
      : serve.kind === 'split'
        ? serve.variants.map(({ value }) => value)
        : [],
  )

/** The attribute `id` is the user key. */
const attributeIn = (notes: FlagNotes) => (name: string) => {
  if (name.includes('.'))
    notes.remark('nested_attribute', '', `Send the value inside the object as the attribute ${name}.`)
  return name === 'id' ? USER_KEY : name
}

/** A saved group is a list of values, which becomes a segment for each attribute that it is compared with. */
const groupIn =
  ({ savedGroups, segments }: Groups) =>
  (id: string, attribute: string): string => {
    const values = comparedTexts(listOf(savedGroups[id]))
    const key = attribute === USER_KEY ? id : `${id}-${attribute}`
    const keys = attribute === USER_KEY ? values : []
    segments.set(key, {
      ...{ key, name: key, excluded: [], included: keys },
      rules: keys.length > 0 ? [] : [{ when: test(attribute, 'equals', values) }],
    })
    return key
  }
