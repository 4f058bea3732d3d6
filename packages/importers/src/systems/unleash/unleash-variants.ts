import type { JsonValue } from '@burgee/evaluation'
import type { Outcome } from '../../drafts.ts'
import { all, any, type Expression, not, test } from '../../expression.ts'
import {
  comparedTexts,
  type JsonObject,
  listOf,
  numberOf,
  objectOf,
  objectsOf,
  textOf,
} from '../../reading.ts'
import { attributeOf, type ConstraintPlace } from './unleash-constraints.ts'
import { attributeOfStickiness } from './unleash-stickiness.ts'

interface Chosen {
  readonly variants: readonly JsonObject[]
  readonly group: string
  readonly stickiness: string | null
}

interface Possible {
  readonly outcome: Outcome
  /** For whom; null for everyone else. */
  readonly when: Expression | null
}

/** Returns what admitted users get: the variants of overrides first, then the weighted ones. */
export function outcomesOf(
  { group, stickiness, variants }: Chosen,
  place: ConstraintPlace,
): readonly Possible[] {
  const weighted = variants.map((variant) => ({
    value: variantValue(variant),
    weight: Math.max(0, numberOf(variant.weight) ?? 0),
  }))
  if (weighted.every(({ weight }) => weight === 0)) return [{ outcome: { kind: 'on' }, when: null }]
  const bucketBy = attributeOfStickiness(stickiness, { ...place, path: `${place.path}/variants` })
  const division = {
    hash: 'unleash_variant' as const,
    salt: `${group}:`,
    ...(bucketBy !== undefined && { bucketBy }),
  }
  const only = weighted.filter(({ weight }) => weight > 0)
  const [single] = only
  if (bucketBy !== undefined && only.length > 1)
    place.notes.lower('approximated', {
      ...{ code: 'random', path: `${place.path}/variants` },
      message: `A user without ${bucketBy} gets a variant by chance there, and none in Burgee.`,
    })
  const split: Outcome =
    only.length === 1 && single
      ? { kind: 'value', value: single.value }
      : { kind: 'split', variants: weighted, division }
  return [...overridesOf(variants), { outcome: split, when: null }]
}

/** The first variant with an override that holds is served to the user. */
function overridesOf(variants: readonly JsonObject[]): readonly Possible[] {
  const earlier: Expression[] = []
  return variants.flatMap((variant) => {
    const overrides = objectsOf(variant.overrides).map(({ contextName, values }) =>
      test(attributeOf(contextName), 'equals', comparedTexts(listOf(values))),
    )
    if (overrides.length === 0) return []
    const when = all([any(overrides), ...earlier.map(not)])
    return [{ outcome: { kind: 'value', value: variantValue(variant) } as const, when }]
  })
}

/** Returns the value of a variant: its payload, or its name where it has none. */
export function variantValue(variant: JsonObject): JsonValue {
  const payload = objectOf(variant.payload)
  const text = typeof payload.value === 'string' ? payload.value : null
  if (text === null) return textOf(variant.name) ?? ''
  if (payload.type === 'number') return numberOf(text) ?? text
  if (payload.type !== 'json') return text
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return text
  }
}
