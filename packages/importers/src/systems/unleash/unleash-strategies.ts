import { USER_KEY } from '../../conditions.ts'
import type { Outcome, Share } from '../../drafts.ts'
import { all, type Expression, hasText, inSegment, NEVER, test } from '../../expression.ts'
import { Gap } from '../../gap.ts'
import { type JsonObject, listOf, numberOf, objectOf, objectsOf, textForm, textOf } from '../../reading.ts'
import { type ConstraintPlace, constraintsOf } from './unleash-constraints.ts'
import type { UnleashFeature } from './unleash-files.ts'
import { attributeOfStickiness } from './unleash-stickiness.ts'
import { outcomesOf } from './unleash-variants.ts'

/** A strategy: whom it admits, and what they get. */
export interface Admission {
  readonly when: Expression
  readonly share: Share | undefined
  readonly outcome: Outcome
  readonly title: string | null
}

export interface StrategyContext extends ConstraintPlace {
  readonly feature: UnleashFeature
  /** Keys of segments by id. */
  readonly segmentKeys: ReadonlyMap<number, string>
}

/** Translates one strategy; several where users with an override get another variant. */
export function admissionsOf(strategy: JsonObject, context: StrategyContext): readonly Admission[] {
  const { feature } = context
  const variants = objectsOf(strategy.variants)
  // Variants without any weight are as none.
  const own = variants.some(({ weight }) => (numberOf(weight) ?? 0) > 0) ? variants : []
  const parameters = objectOf(strategy.parameters)
  const constraints = constraintsOf(strategy.constraints, context)
  const { share, when } = activationOf(strategy, context)
  const whole = all([when, constraints, segmentsOf(strategy, context)])
  const chosen =
    own.length > 0
      ? {
          ...{ variants: own, group: textForm(parameters.groupId) },
          stickiness: textOf(own[0]?.stickiness) ?? textOf(parameters.stickiness),
        }
      : {
          variants: feature.variants,
          group: feature.name,
          stickiness: textOf(feature.variants[0]?.stickiness),
        }
  return outcomesOf(chosen, context).map(({ outcome, when: override }) => ({
    ...{ share, outcome },
    when: simplify(override ? all([whole, override]) : whole),
    title: textOf(strategy.title),
  }))
}

/** Joins nested ANDs, so that a strategy without constraints is seen as one. */
function simplify(expression: Expression): Expression {
  if (expression.kind !== 'all') return expression
  return all(
    expression.of.flatMap((part) => {
      const inner = simplify(part)
      return inner.kind === 'all' ? inner.of : [inner]
    }),
  )
}

interface Activation {
  readonly when: Expression
  readonly share?: Share
}

/** Translates what the strategy itself demands. */
function activationOf(strategy: JsonObject, context: StrategyContext): Activation {
  const parameters = objectOf(strategy.parameters)
  const name = textOf(strategy.name) ?? ''
  switch (name) {
    case 'default':
      return { when: all([]) }
    case 'userWithId':
      return { when: test(USER_KEY, 'equals', listedIn(parameters.userIds)) }
    case 'remoteAddress':
      return { when: addressesOf(parameters.IPs) }
    case 'flexibleRollout':
      return rolloutOf({ ...parameters, percentage: parameters.rollout }, context)
    case 'gradualRolloutUserId':
      return rolloutOf({ ...parameters, stickiness: 'userId' }, context)
    case 'gradualRolloutSessionId':
      return rolloutOf({ ...parameters, stickiness: 'sessionId' }, context)
    case 'gradualRolloutRandom':
      return rolloutOf({ ...parameters, stickiness: 'random', groupId: context.feature.name }, context)
    default:
      throw new Gap('strategy', `The strategy ${JSON.stringify(name)} has no equal.`)
  }
}

const listedIn = (list: unknown): readonly string[] =>
  (textOf(list) ?? '').split(/\s*,\s*/).filter((text) => text !== '')

function addressesOf(list: unknown): Expression {
  const addresses = listedIn(list)
  const range = addresses.find((address) => address.includes('/'))
  if (range !== undefined) throw new Gap('ip_range', `The range ${range} has no equal.`)
  return test('remoteAddress', 'equals', addresses)
}

function rolloutOf(parameters: JsonObject, { notes, path }: StrategyContext): Activation {
  const percentage = Math.min(100, Math.max(0, Math.floor(numberOf(parameters.percentage) ?? 0)))
  const bucketBy = attributeOfStickiness(textOf(parameters.stickiness), { notes, path })
  const when = bucketBy !== undefined ? hasText(bucketBy) : all([])
  const salt = `${textOf(parameters.groupId) ?? ''}:`
  return {
    when,
    share: { thousandths: percentage * 1000, salt, ...(bucketBy !== undefined && { bucketBy }) },
  }
}

/** All segments of a strategy must hold. Without the constraints of a segment, the feature is not written. */
function segmentsOf(strategy: JsonObject, { notes, path, segmentKeys }: StrategyContext): Expression {
  const ids = listOf(strategy.segments).map((segment) =>
    numberOf(typeof segment === 'object' ? objectOf(segment).id : segment),
  )
  return all(
    ids.map((id) => {
      const key = id === null ? undefined : segmentKeys.get(id)
      if (key !== undefined) return inSegment(key)
      notes.lower('skipped', {
        ...{ code: 'segment_missing', path: `${path}/segments` },
        message: `The constraints of segment ${id} are not in these files. Give the response of /api/admin/segments as well.`,
      })
      return NEVER
    }),
  )
}
