import { Badge, Group, Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { EnvironmentDot } from '../../shared/ui/environment-dot.tsx'
import { Row, RowList } from '../../shared/ui/row-list.tsx'
import { useFirstRows } from '../../shared/ui/use-first-rows.tsx'
import { ClassSign } from './class-bar.tsx'
import { CLASS_WORDS } from './class-words.ts'
import classes from './flag-list.module.css'
import { FlagPanel } from './flag-panel.tsx'
import { type FlagCell, type FlagRow, reasonsOf, shownClass } from './flag-rows.ts'
import type { FlagInPlace, LeftOut } from './left-out.ts'
import { OUTCOME_WORDS } from './outcome-words.ts'

interface OpenCell {
  readonly row: FlagRow
  readonly cell: FlagCell
}

interface FlagListProps {
  readonly rows: readonly FlagRow[]
  readonly left: LeftOut
  readonly onChoice: (left: LeftOut) => void
}

/** The flags of the import: the reasons, and for each environment a cell that opens its details. */
export function FlagList({ left, onChoice, rows }: FlagListProps) {
  const [open, setOpen] = useState<FlagInPlace | null>(null)
  const { more, shown } = useFirstRows(rows)
  if (rows.length === 0) {
    return (
      <Text size="sm" c="dimmed" role="status">
        No flag matches these filters.
      </Text>
    )
  }
  return (
    <>
      <RowList label="Flags of the import" columns="auto">
        {shown.map((row) => (
          <Row
            key={row.sourceKey}
            title={row.sourceKey}
            badges={
              row.key !== row.sourceKey && (
                <Badge variant="outline" color="gray" tt="none" fw={500}>
                  as {row.key}
                </Badge>
              )
            }
            subtitle={<Reasons row={row} />}
          >
            <Group gap={6} justify="flex-end">
              {row.cells.map((cell) => (
                <CellButton
                  key={cell.target.id}
                  row={row}
                  cell={cell}
                  onClick={() => setOpen({ key: row.key, target: cell.target })}
                />
              ))}
            </Group>
          </Row>
        ))}
      </RowList>
      {more}
      <FlagPanel open={findOpen(rows, open)} left={left} onChoice={onChoice} onClose={() => setOpen(null)} />
    </>
  )
}

/** The cell as it is now: a choice changes it while it is open. */
function findOpen(rows: readonly FlagRow[], open: FlagInPlace | null): OpenCell | null {
  const row = open && rows.find(({ key }) => key === open.key)
  const cell = row?.cells.find(({ target }) => target.id === open?.target.id)
  return row && cell ? { row, cell } : null
}

function Reasons({ row }: { readonly row: FlagRow }) {
  const reasons = [...new Set(row.cells.flatMap(reasonsOf))]
  const [first] = reasons
  if (first === undefined) return <Text inherit>The same values for every user</Text>
  return (
    <Text inherit>
      {first}
      {reasons.length > 1 && ` And ${reasons.length - 1} more.`}
    </Text>
  )
}

interface CellButtonProps extends OpenCell {
  readonly onClick: () => void
}

function CellButton({ cell, onClick, row }: CellButtonProps) {
  const { outcome, target } = cell
  const label = shownClass(cell)
  const effect = OUTCOME_WORDS[outcome]
  return (
    <UnstyledButton
      className={classes.cell}
      onClick={onClick}
      aria-label={`${row.sourceKey} in ${target.name}: ${CLASS_WORDS[label].label}, ${effect.toLowerCase()}. Show details`}
    >
      <ClassSign of={label} />
      <EnvironmentDot color={target.color} size={8} />
      <span>{effect}</span>
    </UnstyledButton>
  )
}
