import { type ReactNode, useEffect, useRef } from 'react'
import type { Command } from './command.ts'
import classes from './palette.module.css'
import type { CommandGroup } from './rank-commands.ts'

interface PaletteListProps {
  readonly id: string
  readonly groups: readonly CommandGroup<Command>[]
  /** Counted over all groups. */
  readonly selected: number
  readonly onSelect: (at: number) => void
  readonly onRun: (command: Command) => void
}

/** The commands by group; the focus stays in the field above. */
export function PaletteList({ id, groups, selected, onSelect, onRun }: PaletteListProps) {
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is selected stays in sight
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [selected, groups])
  let at = -1
  const option = (command: Command): ReactNode => {
    at += 1
    const index = at
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
      // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active one
      <div
        key={command.id}
        id={`${id}-${index}`}
        role="option"
        aria-selected={index === selected}
        aria-disabled={command.isDisabled || undefined}
        className={classes.option}
        onMouseMove={() => index !== selected && onSelect(index)}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onRun(command)}
      >
        <span className={classes.icon}>{command.icon}</span>
        <span className={classes.label}>{command.label}</span>
        {command.description && <span className={classes.description}>{command.description}</span>}
      </div>
    )
  }
  return (
    <div ref={list} id={id} role="listbox" aria-label="Results" className={classes.list}>
      {groups.map(({ name, commands }) => (
        // biome-ignore lint/a11y/useSemanticElements: a part of the listbox, not of a form
        <div key={name} role="group" aria-label={name}>
          <div className={classes.group} aria-hidden="true">
            {name}
          </div>
          {commands.map(option)}
        </div>
      ))}
    </div>
  )
}
