import type { Flag } from '@burgee/contract'
import type { FlagSet } from '@burgee/evaluation'
import { Button, Group, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import { countOf } from '../../shared/ui/count-of.ts'
import { filterResults, isDifferent } from './filter-results.ts'
import { ResultFilter } from './result-filter.tsx'
import { ResultsTable } from './results-table.tsx'
import type { Subject } from './subject.ts'

/** Rows that are drawn at first, and more at each wish. */
const ROWS_STEP = 100

interface ResultsProps {
  readonly flags: readonly Flag[]
  readonly set: FlagSet
  readonly subject: Subject
  readonly reading: { readonly readAt: number; readonly isReading: boolean; readonly reload: () => void }
  readonly onShow: (flag_key: string) => void
}

/** Every flag with its value for the user and the reason. */
export function Results({ flags, set, subject, reading, onShow }: ResultsProps) {
  const [{ q, show }, setFilter] = useUrlState({ q: '', show: 'all' })
  const [rowsMax, setRowsMax] = useState(ROWS_STEP)
  const results = useMemo(() => {
    const context = { userKey: subject.user_key, attributes: subject.attributes }
    return flags.map((flag) => ({ flag, evaluation: set.evaluate(flag.key, context) }))
  }, [flags, set, subject])
  const found = useMemo(() => filterResults(results, q, show), [results, q, show])
  const onCount = results.filter(({ evaluation }) => evaluation.enabled).length
  const differentCount = results.filter(isDifferent).length
  return (
    <>
      <ResultFilter q={q} show={show} different="Not the default" onChange={setFilter} />
      <Group justify="space-between" mb={6} gap="xs">
        <Text size="xs" c="dimmed" role="status">
          {found.length === results.length
            ? countOf(results.length, 'flag')
            : `${found.length} of ${countOf(results.length, 'flag')}`}
          {' · '}
          {onCount} on · {differentCount} not the default value
        </Text>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<IconRefresh size={13} />}
          onClick={reading.reload}
          disabled={reading.isReading}
        >
          Flags as of {clock.format(reading.readAt)}
        </Button>
      </Group>
      {found.length === 0 ? (
        <Text size="sm" c="dimmed" py="lg" ta="center">
          No flag fits these filters.
        </Text>
      ) : (
        <ResultsTable results={found} rowsMax={rowsMax} set={set} subject={subject} onShow={onShow} />
      )}
      {found.length > rowsMax && (
        <Button variant="default" mt="sm" fullWidth onClick={() => setRowsMax(rowsMax + ROWS_STEP)}>
          Show more: {found.length - rowsMax} left
        </Button>
      )}
    </>
  )
}

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })
