import { ActionIcon, Tooltip } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconCopyPlus, IconTrash } from '@tabler/icons-react'
import { memo, type ReactNode } from 'react'
import type { RuleRowActions } from './rule-row-actions.ts'
import classes from './rules.module.css'

interface RuleActionsProps {
  readonly index: number
  readonly count: number
  readonly onMove: (to: number, element: HTMLElement) => void
  readonly actions: Pick<RuleRowActions, 'duplicate' | 'remove'>
}

const ICON = { size: 15, stroke: 1.7 }

/** The actions on a rule as a whole. A change inside the rule does not draw them again. */
export const RuleActions = memo(function RuleActions({ index, count, onMove, actions }: RuleActionsProps) {
  const name = `rule ${index + 1}`
  return (
    <div className={classes.actions}>
      <Action
        label={`Move ${name} up`}
        hint="Move up (Alt+↑)"
        isOff={index === 0}
        onClick={(element) => onMove(index - 1, element)}
      >
        <IconArrowUp {...ICON} />
      </Action>
      <Action
        label={`Move ${name} down`}
        hint="Move down (Alt+↓)"
        isOff={index === count - 1}
        onClick={(element) => onMove(index + 1, element)}
      >
        <IconArrowDown {...ICON} />
      </Action>
      <Action label={`Duplicate ${name}`} hint="Duplicate" onClick={() => actions.duplicate(index)}>
        <IconCopyPlus {...ICON} />
      </Action>
      <Action label={`Remove ${name}`} hint="Remove" onClick={() => actions.remove(index)}>
        <IconTrash {...ICON} />
      </Action>
    </div>
  )
})

interface ActionProps {
  readonly label: string
  readonly hint: string
  readonly isOff?: boolean
  readonly onClick: (element: HTMLElement) => void
  readonly children: ReactNode
}

function Action({ label, hint, isOff = false, onClick, children }: ActionProps) {
  return (
    <Tooltip label={hint}>
      <ActionIcon
        variant="subtle"
        color="gray"
        className={classes.action}
        aria-label={label}
        disabled={isOff}
        onClick={(event) => onClick(event.currentTarget)}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
