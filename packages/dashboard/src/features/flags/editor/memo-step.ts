import { type ComponentType, memo, type NamedExoticComponent } from 'react'
import type { FlagDraft } from './use-flag-draft.ts'

interface StepProps {
  readonly editor: FlagDraft
}

/**
 * Memoizes a step of the flow that depends on no single rule, so that a keystroke in a rule does not draw it
 * again. It may depend on whether there are rules at all.
 */
export const memoStep = <P extends StepProps>(Step: ComponentType<P>): NamedExoticComponent<P> =>
  memo(Step, isSameStep)

function isSameStep(before: StepProps, after: StepProps): boolean {
  const { editor: was, ...rest } = before
  const { editor: is, ...others } = after
  return (
    hasSameFields(rest, others) &&
    was.base === is.base &&
    was.problems === is.problems &&
    was.locked === is.locked &&
    hasSameFields(withoutRules(was), withoutRules(is))
  )
}

const withoutRules = ({ draft: { rules, ...fields } }: FlagDraft) => ({
  ...fields,
  hasRules: rules.length > 0,
})

const hasSameFields = (before: object, after: object): boolean => {
  const known = new Map<string, unknown>(Object.entries(before))
  const fields = Object.entries(after)
  return fields.length === known.size && fields.every(([name, value]) => Object.is(known.get(name), value))
}
