import type { FlagSet } from '@burgee/evaluation'
import { Paper, Table, Text, UnstyledButton } from '@mantine/core'
import { useMemo } from 'react'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import { useFirstRows } from '../../shared/ui/use-first-rows.tsx'
import { type ComparedItem, compareWithNow, describeNow, passes } from './compare-with-now.ts'
import { describeReason } from './describe-reason.ts'
import classes from './evaluate.module.css'
import { formatValue } from './format-value.ts'
import { ResultFilter } from './result-filter.tsx'
import { Value } from './result-row.tsx'
import type { Subject } from './subject.ts'
import type { PastItem } from './use-past-results.ts'

interface PastResultsProps {
  readonly items: readonly PastItem[]
  /** The flags of now, for comparison. */
  readonly set: FlagSet
  readonly subject: Subject
  readonly onShow: (flag_key: string) => void
}

/** Every flag of the past moment with the value of the user, and today's value where it differs. */
export function PastResults({ items, set, subject, onShow }: PastResultsProps) {
  const [{ q, show }, setFilter] = useUrlState({ q: '', show: 'all' })
  const rows = useMemo(() => compareWithNow(items, set, subject), [items, set, subject])
  const wanted = q.trim().toLowerCase()
  const found = rows.filter((row) => row.item.flag_key.toLowerCase().includes(wanted) && passes(row, show))
  const { more, shown } = useFirstRows(found)
  const movedCount = rows.filter(({ now }) => now !== null).length
  return (
    <>
      <ResultFilter q={q} show={show} different="Different now" onChange={setFilter} />
      <Text size="xs" c="dimmed" role="status" mb={6}>
        {found.length} of {items.length} flags · {movedCount} different now
      </Text>
      {found.length === 0 ? (
        <Text size="sm" c="dimmed" py="lg" ta="center">
          No flag of that moment matches.
        </Text>
      ) : (
        <Paper withBorder className={classes.table}>
          <Table highlightOnHover layout="fixed">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Flag</Table.Th>
                <Table.Th className={classes.valueColumn}>Value then</Table.Th>
                <Table.Th className={classes.whyColumn}>Why, and the value now</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((row) => (
                <PastRow key={row.item.flag_key} row={row} onShow={() => onShow(row.item.flag_key)} />
              ))}
            </Table.Tbody>
          </Table>
        </Paper>
      )}
      {more}
    </>
  )
}

interface PastRowProps {
  readonly row: ComparedItem
  readonly onShow: () => void
}

/** One flag: the value then with its reason, and the value now where it differs. */
function PastRow({ row: { item, now }, onShow }: PastRowProps) {
  return (
    <Table.Tr className={classes.row} onClick={onShow}>
      <Table.Td>
        <UnstyledButton
          className={classes.flag}
          aria-label={`Explain ${item.flag_key}`}
          onClick={(event) => {
            event.stopPropagation()
            onShow()
          }}
        >
          {item.flag_key}
        </UnstyledButton>
      </Table.Td>
      <Table.Td>
        <Value isOn={item.enabled}>{formatValue(item.value)}</Value>
      </Table.Td>
      <Table.Td>
        <Text size="sm" c="dimmed" className={classes.why}>
          {describeReason(item)}
        </Text>
        {now && (
          <Text size="sm" className={classes.why}>
            Now {describeNow(now)}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
