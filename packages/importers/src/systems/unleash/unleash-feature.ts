import type { JsonValue } from '@burgee/evaluation'
import { EVERYONE } from '../../divide.ts'
import type { FlagDraft, RuleDraft } from '../../drafts.ts'
import type { Expression } from '../../expression.ts'
import { orGap } from '../../gap.ts'
import { comparedTexts, type JsonObject, listOf, objectsOf, textForm, textOf } from '../../reading.ts'
import { FlagNotes } from '../../report.ts'
import { skippedFlag } from '../../skipped-flag.ts'
import { typeOf } from '../../type-of.ts'
import type { UnleashFeature } from './unleash-files.ts'
import { type Admission, admissionsOf } from './unleash-strategies.ts'
import { variantValue } from './unleash-variants.ts'

export interface FeatureContext {
  readonly features: ReadonlyMap<string, UnleashFeature>
  readonly segmentKeys: ReadonlyMap<number, string>
  readonly nowMs: number
}

/** Translates a feature. It is on for a user whom any of its strategies admits. */
export function featureOf(feature: UnleashFeature, context: FeatureContext): FlagDraft {
  const { facts, name, problem } = feature
  if (problem) return skippedFlag(name, problem)
  const notes = new FlagNotes()
  const named = variantsOf(feature)
  const admissions = strategiesOf(feature, { ...context, notes })
  return {
    ...{ key: name, notes, isEnabled: feature.isEnabled, disabledValue: null },
    type: named.size === 0 ? 'boolean' : typeOf(everyVariantOf(feature).map(variantValue)),
    ...(admissions === null ? { rules: [], otherwise: { serve: EVERYBODY } } : divide(admissions)),
    prerequisites: dependenciesOf(feature, context.features, notes),
    variantNames: named,
    description: textOf(facts.description),
    tags: feature.tags,
    isPermanent: PERMANENT.has(textForm(facts.type)),
    ...archivedOf(facts),
  }
}

/** Older exports have only the boolean. SDKs receive no archived feature. */
const archivedOf = ({ archived, archivedAt }: JsonObject): Pick<FlagDraft, 'archivedAt'> =>
  textOf(archivedAt) || archived === true ? { archivedAt: textOf(archivedAt) ?? EPOCH } : {}
const EPOCH = '1970-01-01T00:00:00.000Z'

const EVERYBODY = { kind: 'on' } as const
const NO_ONE = { kind: 'off' } as const
const PERMANENT = new Set(['kill-switch', 'permission'])

/** Returns the variants of a feature and of its strategies. */
const everyVariantOf = ({ strategies, variants }: UnleashFeature): readonly JsonObject[] => [
  ...variants,
  ...strategies.flatMap((strategy) => objectsOf(strategy.variants)),
]

/** Returns the values of all variants, by name. */
const variantsOf = (feature: UnleashFeature): ReadonlyMap<string, JsonValue> =>
  new Map(everyVariantOf(feature).map((variant) => [textOf(variant.name) ?? '', variantValue(variant)]))

/** Null for a feature without strategies, which is on for everyone. */
function strategiesOf(
  feature: UnleashFeature,
  context: FeatureContext & { readonly notes: FlagNotes },
): readonly Admission[] | null {
  if (feature.strategies.length === 0 && feature.variants.length === 0) return null
  const listed = feature.strategies.length === 0 ? [{ name: 'default' }] : feature.strategies
  return listed.flatMap((strategy, index): readonly Admission[] => {
    const path = `/strategies/${index}`
    if (strategy.disabled === true) return []
    const translated = orGap(
      () => admissionsOf(strategy, { ...context, feature, path }),
      ({ code, message }) =>
        context.notes.lower('approximated', { code, path, message: `The strategy is left out. ${message}` }),
    )
    return translated ?? []
  })
}

/**
 * Strategies with constraints are rules. The last one without any is the rollout of the flag; where all serve
 * the same, so is the largest of those that divide users alike.
 */
function divide(admissions: readonly Admission[]): Pick<FlagDraft, 'rules' | 'otherwise'> {
  const merged = isUniform(admissions) ? mergeShares(admissions) : admissions
  const full = merged.findIndex((admission) => isForAll(admission.when) && isFull(admission))
  const ordered = isUniform(merged)
    ? [...merged.filter(({ when }) => !isForAll(when)), ...merged.filter(({ when }) => isForAll(when))]
    : full < 0
      ? merged
      : merged.slice(0, full + 1)
  const last = ordered.at(-1)
  const isOtherwise = last !== undefined && isForAll(last.when)
  const rules = isOtherwise ? ordered.slice(0, -1) : ordered
  return {
    rules: rules.map(toRule),
    otherwise: isOtherwise
      ? { serve: last.outcome, ...(last.share && { share: last.share }) }
      : { serve: NO_ONE },
  }
}

const isForAll = (when: Expression) => when.kind === 'all' && when.of.length === 0
const isFull = ({ share }: Admission) => !share || share.thousandths >= EVERYONE
const isUniform = (admissions: readonly Admission[]) =>
  new Set(admissions.map(({ outcome }) => JSON.stringify(outcome))).size <= 1

/** Keeps the largest of the shares of everyone that divide users alike: the others are within it. */
function mergeShares(admissions: readonly Admission[]): readonly Admission[] {
  const forAll = admissions.filter(({ when }) => isForAll(when))
  const full = forAll.find(isFull)
  const kept = full
    ? [full]
    : [...groupBySalt(forAll).values()].map((group) =>
        group.reduce((a, b) => ((b.share?.thousandths ?? 0) > (a.share?.thousandths ?? 0) ? b : a)),
      )
  return admissions.filter((admission) => !isForAll(admission.when) || kept.includes(admission))
}

function groupBySalt(admissions: readonly Admission[]): ReadonlyMap<string, readonly Admission[]> {
  const groups = new Map<string, Admission[]>()
  for (const admission of admissions) {
    const { bucketBy, salt } = admission.share ?? {}
    const key = JSON.stringify([salt, bucketBy])
    groups.set(key, [...(groups.get(key) ?? []), admission])
  }
  return groups
}

const toRule = ({ outcome, share, title, when }: Admission): RuleDraft => ({
  ...{ when, serve: outcome },
  ...(share && { share }),
  ...(title !== null && { description: title }),
})

/** A feature is off unless each parent is on, and gives one of the named variants. */
function dependenciesOf(
  { dependencies }: UnleashFeature,
  features: ReadonlyMap<string, UnleashFeature>,
  notes: FlagNotes,
): FlagDraft['prerequisites'] {
  return dependencies.flatMap((dependency, index) => {
    const path = `/dependencies/${index}`
    const key = textOf(dependency.feature)
    const parent = key === null ? undefined : features.get(key)
    if (key === null || !parent) {
      const message = `It needs ${key ?? 'a feature'}, which is not in these files.`
      notes.lower('skipped', { code: 'unknown_prerequisite', path, message })
      return []
    }
    if (parent.dependencies.length > 0) {
      const message = `It needs ${key}, which needs another feature. Unleash never serves it, and Burgee does.`
      notes.lower('approximated', { code: 'dependency_chain', path, message })
    }
    if (dependency.enabled === false) {
      const message = `It needs ${key} to be off, which Burgee cannot demand. The demand is left out.`
      notes.lower('approximated', { code: 'dependency_disabled', path, message })
      return []
    }
    const [name, ...others] = comparedTexts(listOf(dependency.variants))
    if (others.length > 0) {
      const message = `It needs one of several variants of ${key}. In Burgee any value of ${key} is enough.`
      notes.lower('approximated', { code: 'dependency_variants', path, message })
    }
    const named = variantsOf(parent)
    const value = name === undefined ? undefined : named.get(name)
    if (name !== undefined && [...named.values()].filter((one) => isSame(one, value)).length !== 1) {
      const message = `It needs the variant ${name} of ${key}. In Burgee the values of variants decide, and ${value === undefined ? 'none' : 'another one'} has this value.`
      notes.lower('approximated', { code: 'dependency_variants', path, message })
    }
    return [{ key, ...(value !== undefined && others.length === 0 && { value }) }]
  })
}

const isSame = (a: JsonValue, b: JsonValue | undefined) => JSON.stringify(a) === JSON.stringify(b)
