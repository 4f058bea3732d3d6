import type { EnvironmentDraft, FlagDraft, Outcome, RuleDraft, SegmentDraft, Share } from './drafts.ts'
import type { Expression } from './expression.ts'

type Rename = (attribute: string) => string

/** Renames attributes of users in everything that reads them. */
export function renameAttributes(
  environment: EnvironmentDraft,
  names: ReadonlyMap<string, string>,
): EnvironmentDraft {
  if (names.size === 0) return environment
  const rename: Rename = (attribute) => names.get(attribute) ?? attribute
  return {
    ...environment,
    flags: environment.flags.map((flag) => inFlag(flag, rename)),
    segments: environment.segments.map((segment) => inSegment(segment, rename)),
  }
}

function inFlag(flag: FlagDraft, rename: Rename): FlagDraft {
  const { serve, share } = flag.otherwise
  return {
    ...flag,
    rules: flag.rules.map((rule) => inRule(rule, rename)),
    otherwise: { serve: inOutcome(serve, rename), ...(share && { share: inDivision(share, rename) }) },
  }
}

function inSegment(segment: SegmentDraft, rename: Rename): SegmentDraft {
  return {
    ...segment,
    rules: segment.rules.map((rule) => ({
      ...rule,
      when: inExpression(rule.when, rename),
      ...(rule.share && { share: inDivision(rule.share, rename) }),
    })),
  }
}

const inRule = (rule: RuleDraft, rename: Rename): RuleDraft => ({
  ...rule,
  when: inExpression(rule.when, rename),
  serve: inOutcome(rule.serve, rename),
  ...(rule.share && { share: inDivision(rule.share, rename) }),
})

const inOutcome = (serve: Outcome, rename: Rename): Outcome =>
  serve.kind === 'split' ? { ...serve, division: inDivision(serve.division, rename) } : serve

const inDivision = <Divided extends Pick<Share, 'bucketBy'>>(division: Divided, rename: Rename): Divided =>
  division.bucketBy === undefined ? division : { ...division, bucketBy: rename(division.bucketBy) }

function inExpression(expression: Expression, rename: Rename): Expression {
  switch (expression.kind) {
    case 'test':
      return { ...expression, attribute: rename(expression.attribute) }
    case 'segment':
      return expression
    case 'not':
      return { ...expression, of: inExpression(expression.of, rename) }
    default:
      return { ...expression, of: expression.of.map((part) => inExpression(part, rename)) }
  }
}
