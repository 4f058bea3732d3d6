import type { FlagSet } from '@burgee/evaluation'
import { Paper, Table } from '@mantine/core'
import { memo } from 'react'
import classes from './evaluate.module.css'
import type { Result } from './filter-results.ts'
import { ResultRow } from './result-row.tsx'
import type { Subject } from './subject.ts'

interface ResultsTableProps {
  readonly results: readonly Result[]
  /** Rows that are drawn. */
  readonly rowsMax: number
  readonly set: FlagSet
  readonly subject: Subject
  readonly onShow: (flag_key: string) => void
}

/** The rows; they are left alone while a key is pressed, and follow when there is time. */
export const ResultsTable = memo(function ResultsTable({
  results,
  rowsMax,
  set,
  subject,
  onShow,
}: ResultsTableProps) {
  return (
    <Paper withBorder className={classes.table}>
      <Table highlightOnHover layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Flag</Table.Th>
            <Table.Th className={classes.valueColumn}>Value</Table.Th>
            <Table.Th className={classes.whyColumn}>Why</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {results.slice(0, rowsMax).map(({ flag }) => (
            <ResultRow key={flag.key} question={{ set, flag, subject }} onShow={() => onShow(flag.key)} />
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  )
})
