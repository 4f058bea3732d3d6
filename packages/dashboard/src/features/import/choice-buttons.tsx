import { Button, Group } from '@mantine/core'
import type { FlagRow } from './flag-rows.ts'
import { findFlags, type LeftOut, toggleFlags } from './left-out.ts'

interface ChoiceButtonsProps {
  /** The rows of the list, as they are filtered. */
  readonly rows: readonly FlagRow[]
  readonly allRows: readonly FlagRow[]
  readonly left: LeftOut
  readonly onChange: (left: LeftOut) => void
}

/** Leaves the flags of the list out of the import, or takes all back in that were left out. */
export function ChoiceButtons({ allRows, left, onChange, rows }: ChoiceButtonsProps) {
  const imported = findFlags(rows, left, { isLeftOut: false })
  const others = findFlags(allRows, left, { isLeftOut: true })
  return (
    <Group gap="xs" ml="auto">
      {others.length > 0 && (
        <Button variant="default" onClick={() => onChange(toggleFlags(left, others, false))}>
          Take {others.length.toLocaleString('en')} back in
        </Button>
      )}
      {imported.length > 0 && (
        <Button variant="default" onClick={() => onChange(toggleFlags(left, imported, true))}>
          Leave out {imported.length.toLocaleString('en')} shown
        </Button>
      )}
    </Group>
  )
}
