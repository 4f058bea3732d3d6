import { USER_KEY } from '../../conditions.ts'
import type { FlagDraft, RuleDraft, SegmentDraft } from '../../drafts.ts'
import { test } from '../../expression.ts'
import { Gap, orGap } from '../../gap.ts'
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
import { skippedFlag } from '../../skipped-flag.ts'
import { noFlags, type ReadSystem } from '../../system.ts'
import { typeOf } from '../../type-of.ts'
import { collectFeatures, type GbFeature, type GbFiles } from './gb-files.ts'
import { ruleOf } from './gb-rules.ts'

/** Reads what GrowthBook's SDKs receive, or the response of its REST API for features. */
export const readGrowthBook: ReadSystem = (files, { environment }) => {
  const { environments, lackGroups, savedGroups } = collectFeatures(files, environment)
  if (environments.size === 0) throw noFlags('growthbook')
  return {
    environments: [...environments].map(([name, features]) => {
      const segments = new Map<string, SegmentDraft>()
      const parents = new Map(features.map(({ feature, key }) => [key, feature]))
      const flags = features.map((feature) =>
        featureOf(feature, { lackGroups, savedGroups, segments, parents }),
      )
      return { environment: name, flags, segments: [...segments.values()] }
    }),
    notes: [{ code: 'utf_16', path: '', message: UTF_16 }],
  }
}

const UTF_16 =
  'The JavaScript SDK of GrowthBook hashes texts beyond ASCII as UTF-16, and Burgee as UTF-8: users with such keys may be in other shares.'

interface FeatureContext extends Pick<GbFiles, 'lackGroups' | 'savedGroups'> {
  /** The features of the environment by key, which prerequisites name. */
  readonly parents: ReadonlyMap<string, JsonObject>
  /** The segments that were needed so far, by key. */
  readonly segments: Map<string, SegmentDraft>
}

function featureOf(
  { facts, feature, isEnabled, key, problem }: GbFeature,
  shared: FeatureContext,
): FlagDraft {
  if (problem) return skippedFlag(key, problem)
  const notes = new FlagNotes()
  const gates = gatesOf(feature, notes)
  const approximate = (path: string) => (code: string, message: string) =>
    notes.lower('approximated', { code, path, message })
  const remark = (path: string) => (code: string, message: string) => notes.remark(code, path, message)
  const savedGroup = (id: string) => {
    if (!shared.lackGroups || shared.savedGroups.has(id)) return shared.savedGroups.get(id)
    throw new Gap(
      'saved_group',
      `The files do not have the saved group ${id}. Give the response of /api/v1/saved-groups too.`,
    )
  }
  const context = {
    ...{ featureKey: key, notes, attribute: attributeIn(notes), group: groupIn(shared), savedGroup },
  }
  const rules = objectsOf(feature.rules)
    .filter((rule) => !isGate(rule))
    .flatMap((rule, index): readonly RuleDraft[] => {
      const path = `/rules/${index}`
      const translated = orGap(
        () => ruleOf(rule, { ...context, path, approximate: approximate(path), remark: remark(path) }),
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
      objectsOf(gate.parentConditions).flatMap((one) => parentOf(one, shared.parents, notes)),
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

/** A gate behind other rules does not hold for the users whom these serve. */
function gatesOf({ rules }: JsonObject, notes: FlagNotes): readonly JsonObject[] {
  const listed = objectsOf(rules)
  const gates = listed.filter(isGate)
  if (!listed.slice(0, gates.length).every(isGate))
    notes.lower('approximated', {
      ...{ code: 'parent_condition', path: '/prerequisites' },
      message: 'It needs another feature after some of its rules. In Burgee it needs it before all of them.',
    })
  return gates
}

function parentOf(
  { condition, id }: JsonObject,
  parents: ReadonlyMap<string, JsonObject>,
  notes: FlagNotes,
): FlagDraft['prerequisites'] {
  const key = textOf(id)
  if (key === null) return []
  const parent = parents.get(key)
  if (!parent) {
    const message = `It needs ${key}, which is not in these files.`
    notes.lower('skipped', { code: 'unknown_prerequisite', path: '/prerequisites', message })
    return []
  }
  const { value, ...others } = objectOf(condition)
  const isPlain = Object.keys(others).length === 0
  const isBoolean = typeof parent.defaultValue === 'boolean'
  const isSameType = typeof parent.defaultValue === typeof value
  // There `true` demands any value that counts as true.
  if (isPlain && value === true && isBoolean) return [{ key, value }]
  if (isPlain && isSameType && (typeof value === 'string' || typeof value === 'number'))
    return [{ key, value }]
  const isExistence = isObject(value) && value.$exists === true && Object.keys(value).length === 1
  if (isPlain && isExistence && !isBoolean && !canBeNull(parent)) return [{ key }]
  notes.lower('approximated', {
    ...{ code: 'parent_condition', path: '/prerequisites' },
    message: `It needs ${key} to meet a condition. In Burgee it needs ${key} to be on.`,
  })
  return [{ key }]
}

const canBeNull = ({ defaultValue, rules }: JsonObject): boolean =>
  [
    defaultValue,
    ...objectsOf(rules).flatMap((rule) => ('force' in rule ? [rule.force] : listOf(rule.variations))),
  ].some((value) => value === null || value === undefined)

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
  ({ savedGroups, segments }: FeatureContext) =>
  (id: string, attribute: string): string => {
    const group = savedGroups.get(id)
    const values = comparedTexts(listOf(Array.isArray(group) ? group : objectOf(group).values))
    const key = attribute === USER_KEY ? id : `${id}-${attribute}`
    const keys = attribute === USER_KEY ? values : []
    segments.set(key, {
      ...{ key, name: key, excluded: [], included: keys },
      rules: keys.length > 0 ? [] : [{ when: test(attribute, 'equals', values) }],
    })
    return key
  }
