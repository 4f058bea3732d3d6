import type { TargetingRule } from '@burgee/contract'
import { SegmentedControl } from '@mantine/core'
import { memo, useRef } from 'react'
import { useStableActions } from '../../shared/ui/use-stable-actions.ts'
import { ConditionList, type Conditions, EMPTY_TEST } from './condition-list.tsx'
import type { RuleFormProps } from './rule-form-props.ts'
import { RuleResult } from './rule-result.tsx'
import { RuleShare } from './rule-share.tsx'
import classes from './rules.module.css'
import { SegmentField } from './segment-field.tsx'
import { TestFields } from './test-fields.tsx'

/** The parts of one rule: what it tests, further conditions, and what a match serves. */
export function RuleForm(props: RuleFormProps) {
  return (
    <div className={classes.form}>
      <OwnTest {...props} />
      <FurtherConditions {...props} />
      <RuleResult {...props} />
      <RuleShare {...props} />
    </div>
  )
}

function OwnTest({ rule, onChange, segments, attributes, isReadOnly, problemOf, hasFocus }: RuleFormProps) {
  const isSegment = rule.segment_key !== undefined
  // The content before the other was chosen, for the way back.
  const other = useRef<TargetingRule>(undefined)
  const choose = (kind: string) => {
    const fresh: TargetingRule = kind === 'segment' ? { segment_key: segments[0]?.key ?? '' } : EMPTY_TEST
    const { attribute, operator, segment_key, values } = other.current ?? fresh
    const { attribute: _a, operator: _o, segment_key: _s, values: _v, ...rest } = rule
    other.current = rule
    onChange({
      ...rest,
      ...(attribute !== undefined && { attribute }),
      ...(operator !== undefined && { operator }),
      ...(values !== undefined && { values }),
      ...(segment_key !== undefined && { segment_key }),
    })
  }
  const set = useStableActions({ kind: choose })
  return (
    <>
      <KindChoice kind={isSegment ? 'segment' : 'attribute'} onChoose={set.kind} isReadOnly={isReadOnly} />
      {isSegment ? (
        <SegmentField
          segment_key={rule.segment_key ?? ''}
          segments={segments}
          onChange={(segment_key) => onChange({ ...rule, segment_key })}
          error={problemOf('/segment_key')}
          isReadOnly={isReadOnly}
        />
      ) : (
        <TestFields
          test={rule}
          onChange={(test) => onChange({ ...rule, ...test })}
          attributes={attributes}
          isReadOnly={isReadOnly}
          problemOf={(field) => problemOf(`/${field}`)}
          hasFocus={hasFocus}
        />
      )}
    </>
  )
}

const KINDS = [
  { value: 'attribute', label: 'An attribute' },
  { value: 'segment', label: 'A segment' },
]

interface KindChoiceProps {
  readonly kind: string
  readonly onChoose: (kind: string) => void
  readonly isReadOnly: boolean
}

const KindChoice = memo(function KindChoice({ kind, onChoose, isReadOnly }: KindChoiceProps) {
  return (
    <SegmentedControl
      aria-label="What the rule tests"
      size="xs"
      className={classes.kind}
      data={KINDS}
      value={kind}
      onChange={onChoose}
      disabled={isReadOnly}
    />
  )
})

const NONE: Conditions = []
const AND = () => 'and'

function FurtherConditions({ rule, onChange, problemOf, ...props }: RuleFormProps) {
  const { conditions = NONE, ...rest } = rule
  return (
    <ConditionList
      {...props}
      conditions={conditions}
      onChange={(next) => onChange(next.length === 0 ? rest : { ...rest, conditions: next })}
      problemOf={(path) => problemOf(`/conditions${path}`)}
      wordOf={AND}
      addLabel="Add condition (AND)"
    />
  )
}
