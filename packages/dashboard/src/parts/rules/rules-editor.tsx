import type { TargetingRule } from '@burgee/contract'
import { Button, Group, Text, VisuallyHidden } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { useKeyedList } from '../../shared/editors/use-keyed-list.ts'
import { useStableActions } from '../../shared/ui/use-stable-actions.ts'
import { EMPTY_TEST } from './condition-list.tsx'
import { hintsOf } from './rule-hints.ts'
import { RuleItem } from './rule-item.tsx'
import type { RuleRowActions } from './rule-row-actions.ts'
import { RuleSentence } from './rule-sentence.tsx'
import classes from './rules.module.css'
import type { RulesEditorProps } from './rules-editor-props.ts'
import { SortableRules } from './sortable-rules.tsx'
import { useRulesInSight } from './use-rules-in-sight.ts'

export type { RulesEditorProps }

const EXAMPLE = { attribute: 'country', operator: 'equals' as const, values: ['NO', 'SE'] }

const NO_PROBLEMS = {}

/** Targeting rules as sentences that can be edited and put in order. */
export function RulesEditor(props: RulesEditorProps) {
  const { rules, onChange, segments, locked } = props
  const list = useKeyedList(rules, onChange)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [fresh, setFresh] = useState('')
  const [news, setNews] = useState('')
  const isReadOnly = locked !== undefined
  const sight = useRulesInSight(list.keys, open)
  const { scrollTo } = sight
  const freshAt = list.keys.indexOf(fresh)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each new rule
  useEffect(() => {
    if (freshAt >= 0) scrollTo(freshAt)
  }, [fresh])
  const toggle = (key: string, isOpen: boolean) => {
    setOpen((known) => new Set(isOpen ? [...known, key] : [...known].filter((other) => other !== key)))
  }
  const insert = (rule: TargetingRule, at: number) => {
    const key = list.insert(rule, at)
    setFresh(key)
    toggle(key, true)
    setNews(`Rule ${at + 1} of ${rules.length + 1} added.`)
  }
  const move = (from: number, to: number) => {
    if (to < 0 || to >= rules.length || from === to) return
    list.move(from, to)
    setNews(`Rule moved to place ${to + 1} of ${rules.length}.`)
  }
  const remove = (at: number) => {
    list.remove(at)
    setNews(`Rule ${at + 1} removed. ${rules.length - 1} left.`)
  }
  const actions = useStableActions<RuleRowActions>({
    toggle,
    replace: list.replace,
    move,
    duplicate: (index) => {
      const rule = rules[index]
      if (rule) insert(structuredClone(rule), index + 1)
    },
    remove,
  })
  const segmentKeys = useMemo(() => segments.map(({ key }) => key), [segments])
  return (
    <div>
      <SortableRules keys={list.keys} onMove={move} below={sight.below} listRef={sight.list}>
        {sight.shown.map(({ index, skippedPx }) => {
          const rule = rules[index]
          const key = list.keys[index] ?? ''
          if (!rule) return null
          return (
            <RuleItem
              key={key}
              sortKey={key}
              rule={rule}
              index={index}
              count={rules.length}
              hints={hintsOf(rules, index, segmentKeys).join('\n')}
              segments={segments}
              attributes={props.attributes}
              flag_type={props.flag_type}
              problems={props.problems ?? NO_PROBLEMS}
              isOpen={open.has(key)}
              isFresh={fresh === key}
              isReadOnly={isReadOnly}
              skippedPx={skippedPx}
              measure={sight.measure}
              actions={actions}
            />
          )
        })}
      </SortableRules>
      {rules.length === 0 && (
        <Text size="sm" c="dimmed" component="div" className={classes.none}>
          No rules yet. One could read: <RuleSentence rule={EXAMPLE} flag_type={props.flag_type} />
        </Text>
      )}
      {!isReadOnly && <AddButtons segments={segments} onAdd={(rule) => insert(rule, rules.length)} />}
      <VisuallyHidden role="status">{news}</VisuallyHidden>
    </div>
  )
}

interface AddButtonsProps extends Pick<RulesEditorProps, 'segments'> {
  readonly onAdd: (rule: TargetingRule) => void
}

function AddButtons({ segments, onAdd }: AddButtonsProps) {
  return (
    <Group gap="xs" mt="xs">
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} />}
        onClick={() => onAdd({ ...EMPTY_TEST })}
      >
        Add rule
      </Button>
      {segments.length > 0 && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => onAdd({ segment_key: segments[0]?.key ?? '' })}
        >
          Add segment
        </Button>
      )}
    </Group>
  )
}
