import type { TargetingRule } from '@burgee/contract'
import { ActionIcon, Button, Text, Tooltip } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useKeyedList } from '../../shared/editors/use-keyed-list.ts'
import type { RuleFormProps } from './rule-form-props.ts'
import classes from './rules.module.css'
import { SegmentConditionFields } from './segment-condition-fields.tsx'
import { TestFields } from './test-fields.tsx'

/** The content that a new rule or condition begins with. */
export const EMPTY_TEST = { attribute: '', operator: 'equals' as const, values: [] }

export type Conditions = NonNullable<TargetingRule['conditions']>

interface ConditionListProps extends Pick<RuleFormProps, 'segments' | 'attributes' | 'isReadOnly'> {
  readonly conditions: Conditions
  readonly onChange: (conditions: Conditions) => void
  /** By JSON pointer below the list: `/0/attribute`. */
  readonly problemOf: (path: string) => string | undefined
  /** The word between a condition and what comes before it. */
  readonly wordOf: (index: number) => string
  readonly addLabel: string
}

/** Conditions that all have to hold, each with its fields, and the buttons that add one. */
export function ConditionList({
  addLabel,
  attributes,
  conditions,
  isReadOnly,
  onChange,
  problemOf,
  segments,
  wordOf,
}: ConditionListProps) {
  const list = useKeyedList(conditions, onChange)
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
            {wordOf(at)}
          </Text>
          {'segment_key' in condition ? (
            <SegmentConditionFields
              condition={condition}
              segments={segments}
              onChange={(next) => list.replace(at, next)}
              error={problemOf(`/${at}/segment_key`)}
              isReadOnly={isReadOnly}
            />
          ) : (
            <TestFields
              test={condition}
              onChange={(next) => list.replace(at, next)}
              attributes={attributes}
              isReadOnly={isReadOnly}
              problemOf={(field) => problemOf(`/${at}/${field}`)}
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
            {addLabel}
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
