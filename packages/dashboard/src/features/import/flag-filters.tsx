import { IMPORT_CLASSES } from '@burgee/contract'
import { Group, NativeSelect, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { SearchField } from '../../shared/ui/search-field.tsx'
import { ClassSign } from './class-bar.tsx'
import { CLASS_WORDS } from './class-words.ts'
import classes from './flag-list.module.css'
import { countClasses, type FlagRow, type Outcome, type RowFilter } from './flag-rows.ts'
import { OUTCOME_WORDS } from './outcome-words.ts'

interface FlagFiltersProps {
  readonly rows: readonly FlagRow[]
  readonly filter: RowFilter
  readonly onChange: (filter: RowFilter) => void
  /** Shown behind the filters. */
  readonly actions: ReactNode
}

/** The classes with their counts, which filter the list, and further filters. */
export function FlagFilters({ actions, filter, onChange, rows }: FlagFiltersProps) {
  const counts = countClasses(rows.flatMap(({ cells }) => cells))
  const outcomes = new Set(rows.flatMap(({ cells }) => cells.map(({ outcome }) => outcome)))
  return (
    <>
      <section className={classes.tiles} aria-label="Filter by class">
        {IMPORT_CLASSES.map((one) => {
          const { label, meaning } = CLASS_WORDS[one]
          const isOn = filter.class === one
          return (
            <UnstyledButton
              key={one}
              className={classes.tile}
              aria-pressed={isOn}
              disabled={counts[one] === 0 && !isOn}
              data-on={isOn || undefined}
              onClick={() => onChange({ ...filter, class: isOn ? '' : one })}
            >
              <span className={classes.tile_head}>
                <ClassSign of={one} />
                <b>{counts[one].toLocaleString('en')}</b> {label}
              </span>
              <span className={classes.tile_text}>{meaning}</span>
            </UnstyledButton>
          )
        })}
      </section>
      <Group gap="sm">
        <SearchField
          label="Search flags and reasons"
          placeholder="Search flags and reasons"
          value={filter.q}
          onChange={(q) => onChange({ ...filter, q })}
        />
        <NativeSelect
          aria-label="Effect"
          value={filter.outcome}
          // The options are the outcomes and the empty text.
          onChange={(event) => onChange({ ...filter, outcome: event.currentTarget.value as Outcome | '' })}
          data={[
            { value: '', label: 'Every effect' },
            ...Object.entries(OUTCOME_WORDS)
              .filter(([outcome]) => outcomes.has(outcome as Outcome))
              .map(([value, label]) => ({ value, label })),
          ]}
        />
        {actions}
      </Group>
    </>
  )
}
