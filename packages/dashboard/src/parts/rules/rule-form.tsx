import type { TargetingRule } from '@burgee/contract'
import { ActionIcon, Button, SegmentedControl, Text, Tooltip } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { memo, useRef } from 'react'
import { useKeyedList } from '../../shared/editors/use-keyed-list.ts'
import { useStableActions } from '../../shared/ui/use-stable-actions.ts'
import type { RuleFormProps } from './rule-form-props.ts'
import { RuleResult } from './rule-result.tsx'
import { RuleShare } from './rule-share.tsx'
import classes from './rules.module.css'
import { SegmentConditionFields } from './segment-condition-fields.tsx'
import { SegmentField } from './segment-field.tsx'
import { TestFields } from './test-fields.tsx'

/** The parts of one rule: what it tests, further conditions, and what a match serves. */
export function RuleForm(props: RuleFormProps) {
  return (
    <div className={classes.form}>
      <OwnTest {...props} />
      <Conditions {...props} />
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

/** The content that a new rule or condition begins with. */
export const EMPTY_TEST = { attribute: '', operator: 'equals' as const, values: [] }

const NONE: NonNullable<TargetingRule['conditions']> = []

function Conditions({ rule, onChange, segments, attributes, isReadOnly, problemOf }: RuleFormProps) {
  const { conditions = NONE, ...rest } = rule
  const list = useKeyedList(conditions, (next) =>
    onChange(next.length === 0 ? rest : { ...rest, conditions: next }),
  )
  return (
    <>
      {conditions.map((condition, at) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend would not be beside its fields
        <div
          key={list.keys[at]}
          className={classes.condition}
          role="group"
          aria-label={`Condition ${at + 1}`}
        >
          <Text size="sm" c="dimmed" className={classes.and}>
            and
          </Text>
          {'segment_key' in condition ? (
            <SegmentConditionFields
              condition={condition}
              segments={segments}
              onChange={(next) => list.replace(at, next)}
              error={problemOf(`/conditions/${at}/segment_key`)}
              isReadOnly={isReadOnly}
            />
          ) : (
            <TestFields
              test={condition}
              onChange={(next) => list.replace(at, next)}
              attributes={attributes}
              isReadOnly={isReadOnly}
              problemOf={(field) => problemOf(`/conditions/${at}/${field}`)}
              hasFocus={!isReadOnly && condition.attribute === '' && condition.values.length === 0}
            />
          )}
          {!isReadOnly && (
            <Tooltip label="Remove the condition">
              <ActionIcon
                variant="subtle"
                color="gray"
                className={classes.drop}
                aria-label={`Remove condition ${at + 1}`}
                onClick={() => list.remove(at)}
              >
                <IconX size={16} />
              </ActionIcon>
            </Tooltip>
          )}
        </div>
      ))}
      {!isReadOnly && (
        <div className={classes.add}>
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={14} />}
            onClick={() => list.insert({ ...EMPTY_TEST })}
          >
            Add condition (AND)
          </Button>
          {segments.length > 0 && (
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<IconPlus size={14} />}
              onClick={() => list.insert({ segment_key: '', operator: 'in_segment' })}
            >
              Add segment (AND)
            </Button>
          )}
        </div>
      )}
    </>
  )
}
