import type { TargetingRule } from '@burgee/contract'
import { useSortable } from '@dnd-kit/sortable'
import { List, Text, UnstyledButton } from '@mantine/core'
import { IconChevronRight, IconGripVertical } from '@tabler/icons-react'
import { type KeyboardEvent, memo, useRef } from 'react'
import { useStableActions } from '../../shared/ui/use-stable-actions.ts'
import { RuleActions } from './rule-actions.tsx'
import { RuleForm } from './rule-form.tsx'
import type { RuleRowActions } from './rule-row-actions.ts'
import { RuleSentence } from './rule-sentence.tsx'
import classes from './rules.module.css'
import type { RulesEditorProps } from './rules-editor-props.ts'

interface RuleItemProps extends Pick<RulesEditorProps, 'segments' | 'attributes' | 'flag_type' | 'problems'> {
  readonly sortKey: string
  readonly rule: TargetingRule
  readonly index: number
  /** The number of all rules. */
  readonly count: number
  /** The probable mistakes in it, one on each line. */
  readonly hints: string
  readonly isOpen: boolean
  /** Just added: its first field takes the focus. */
  readonly isFresh: boolean
  readonly isReadOnly: boolean
  /** The height of the rules above it that are not drawn, in pixels. */
  readonly skippedPx: number
  /** Measures its height where only the rules in sight are drawn. */
  readonly measure?: ((element: HTMLElement | null) => void) | undefined
  readonly actions: RuleRowActions
}

/**
 * One rule: its sentence, and under it, when it is open, its fields. It is drawn again for its own changes
 * only: a keystroke in one of many rules leaves the others.
 */
export const RuleItem = memo(function RuleItem(props: RuleItemProps) {
  const { sortKey, rule, index, count, hints, segments, attributes, flag_type, problems = {} } = props
  const { isOpen, isFresh, isReadOnly, skippedPx, measure, actions } = props
  const sortable = useSortable({ id: sortKey, disabled: isReadOnly })
  const handle = useRef<HTMLButtonElement | null>(null)
  const own = problemsBelow(`/rules/${index}`, problems)
  const isShown = isOpen || own.size > 0
  const formId = `rule-${sortKey}-fields`
  const keep = (to: number, element: HTMLElement) => {
    actions.move(index, to)
    keepFocus(element, handle.current)
  }
  const moving = useStableActions({ move: keep })
  const moveByKeys = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.altKey && !isReadOnly ? STEPS[event.key] : undefined
    // In a field the arrows belong to the field.
    if (step === undefined || !(event.target instanceof HTMLButtonElement)) return
    event.preventDefault()
    keep(index + step, event.target)
  }
  return (
    <li
      ref={(element) => {
        sortable.setNodeRef(element)
        measure?.(element)
      }}
      data-index={index}
      aria-setsize={count}
      aria-posinset={index + 1}
      className={classes.item}
      data-dragging={sortable.isDragging || undefined}
      data-open={isShown || undefined}
      data-wrong={own.size > 0 || undefined}
      style={{
        marginTop: skippedPx,
        transform: translation(sortable.transform),
        transition: sortable.transition,
      }}
      onKeyDown={moveByKeys}
      aria-label={`Rule ${index + 1}`}
    >
      <div className={classes.head}>
        {!isReadOnly && (
          <UnstyledButton
            {...sortable.attributes}
            {...sortable.listeners}
            ref={(element) => {
              handle.current = element
              sortable.setActivatorNodeRef(element)
            }}
            className={classes.handle}
            aria-label={`Drag rule ${index + 1}`}
          >
            <IconGripVertical size={16} />
          </UnstyledButton>
        )}
        <span className={classes.number} aria-hidden="true">
          {index + 1}
        </span>
        <UnstyledButton
          className={classes.toggle}
          onClick={() => actions.toggle(sortKey, !isShown)}
          aria-expanded={isShown}
          aria-controls={isShown ? formId : undefined}
        >
          <RuleSentence rule={rule} flag_type={flag_type} />
          <IconChevronRight size={15} className={classes.chevron} data-open={isShown || undefined} />
        </UnstyledButton>
        {!isReadOnly && <RuleActions index={index} count={count} actions={actions} onMove={moving.move} />}
      </div>
      <Hints texts={own.has('') ? [own.get('') ?? ''] : []} isProblem />
      <Hints texts={hints === '' ? [] : hints.split('\n')} />
      {isShown && (
        <div id={formId}>
          <RuleForm
            rule={rule}
            onChange={(next) => actions.replace(index, next)}
            segments={segments}
            attributes={attributes}
            flag_type={flag_type}
            isReadOnly={isReadOnly}
            problemOf={(path) => own.get(path)}
            hasFocus={isFresh}
          />
        </div>
      )}
    </li>
  )
})

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

/**
 * Keeps the focus, which is lost when its element moves. Where the button is of no use at the end of the
 * list, the handle gets it.
 */
function keepFocus(element: HTMLElement, fallback: HTMLElement | null): void {
  requestAnimationFrame(() => {
    element.focus()
    if (document.activeElement !== element) fallback?.focus()
  })
}

const translation = (at: { readonly y: number } | null): string | undefined =>
  at ? `translate3d(0, ${Math.round(at.y)}px, 0)` : undefined

function problemsBelow(path: string, problems: Readonly<Record<string, string>>): Map<string, string> {
  const below = Object.entries(problems).filter(([at]) => at === path || at.startsWith(`${path}/`))
  return new Map(below.map(([at, message]) => [at.slice(path.length), message]))
}

function Hints({
  texts,
  isProblem = false,
}: {
  readonly texts: readonly string[]
  readonly isProblem?: boolean
}) {
  if (texts.length === 0) return null
  return (
    <List className={classes.hints} data-problem={isProblem || undefined} listStyleType="none">
      {texts.map((text) => (
        <List.Item key={text}>
          <Text size="xs">{text}</Text>
        </List.Item>
      ))}
    </List>
  )
}
