import type { AttributeTest, Invariant } from '@burgee/contract'
import { operatorKind } from '@burgee/evaluation'
import type { ProblemDetail } from '../../kernel/refusal.ts'
import { validateRules } from '../../targeting/rules/index.ts'
import { DEMANDS, type StoredDemand } from './invariant.ts'

/**
 * Returns what is wrong with an invariant of a project whose environments have these slugs. `given` is the
 * input as it was sent.
 */
export function findProblems(
  { environments, flag: _, when = [], ...invariant }: Pick<Invariant, keyof StoredDemand | 'environments'>,
  slugs: readonly string[],
  given: { readonly [Name in (typeof DEMANDS)[number]]?: unknown } & {
    readonly when?: readonly AttributeTest[]
  },
): ProblemDetail[] {
  const count = DEMANDS.filter((name) => (given[name] ?? undefined) !== undefined).length
  const own = DEMANDS.filter((name) => invariant[name] !== undefined).length
  const demand = `must be exactly one of ${DEMANDS.join(', ')}`
  const [first, ...conditions] = when
  return [
    ...(count > 1 || own !== 1 ? [{ path: '', message: `The demand ${demand}` }] : []),
    ...(environments ?? []).flatMap((slug, index) =>
      slugs.includes(slug)
        ? []
        : [{ path: `/environments/${index}`, message: 'is no slug of an environment of the project' }],
    ),
    ...(given.when ?? []).flatMap(({ operator, values }, index) =>
      values === undefined && operatorKind(operator) !== 'presence'
        ? [{ path: `/when/${index}/values`, message: 'is required' }]
        : [],
    ),
    ...(first ? validateRules([{ ...first, conditions }]) : []),
  ]
}
