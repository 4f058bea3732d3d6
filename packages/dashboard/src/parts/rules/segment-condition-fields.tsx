import type { Segment, SegmentCondition } from '@burgee/contract'
import { Select } from '@mantine/core'
import { BELOW } from './below-field.ts'
import classes from './rules.module.css'
import { SegmentField } from './segment-field.tsx'

interface SegmentConditionFieldsProps {
  readonly condition: SegmentCondition
  readonly segments: readonly Segment[]
  readonly onChange: (condition: SegmentCondition) => void
  readonly error: string | undefined
  readonly isReadOnly: boolean
}

/** A condition that the user is, or is not, in a segment. */
export function SegmentConditionFields({
  condition,
  segments,
  onChange,
  error,
  isReadOnly,
}: SegmentConditionFieldsProps) {
  return (
    <div className={classes.test}>
      <Select
        label="User"
        data={CHOICES}
        value={condition.operator}
        onChange={(operator) => {
          if (operator !== null) onChange({ ...condition, operator })
        }}
        allowDeselect={false}
        readOnly={isReadOnly}
        {...BELOW}
      />
      <SegmentField
        segment_key={condition.segment_key}
        segments={segments}
        onChange={(segment_key) => onChange({ ...condition, segment_key })}
        error={error}
        isReadOnly={isReadOnly}
      />
    </div>
  )
}

const CHOICES: { value: SegmentCondition['operator']; label: string }[] = [
  { value: 'in_segment', label: 'is in the segment' },
  { value: 'not_in_segment', label: 'is not in the segment' },
]
