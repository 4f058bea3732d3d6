import { Badge, Group, Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { EnvironmentDot } from '../../shared/ui/environment-dot.tsx'
import { Row, RowList } from '../../shared/ui/row-list.tsx'
import { useFirstRows } from '../../shared/ui/use-first-rows.tsx'
import { ClassSign } from './class-bar.tsx'
import { CLASS_WORDS } from './class-words.ts'
import { FlagPanel } from './flag-panel.tsx'
import { type FlagCell, type FlagRow, reasonsOf, shownClass } from './flag-rows.ts'
import classes from './import.module.css'
import { OUTCOME_WORDS } from './outcome-words.ts'

interface OpenCell {
  readonly row: FlagRow
  readonly cell: FlagCell
}

/** The flags of the import: the reasons, and for each environment a cell that opens its details. */
export function FlagList({ rows }: { readonly rows: readonly FlagRow[] }) {
  const [open, setOpen] = useState<OpenCell | null>(null)
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
                  onClick={() => setOpen({ row, cell })}
                />
              ))}
            </Group>
          </Row>
        ))}
      </RowList>
      {more}
      <FlagPanel open={open} onClose={() => setOpen(null)} />
    </>
  )
}

function Reasons({ row }: { readonly row: FlagRow }) {
  const reasons = [...new Set(row.cells.flatMap(reasonsOf))]
  const [first] = reasons
  if (first === undefined) return <Text inherit>As before</Text>
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
