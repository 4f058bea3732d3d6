import type { Flag } from '@burgee/contract'
import type { FlagSet } from '@burgee/evaluation'
import { Button, Group, Paper, SegmentedControl, Table, Text, TextInput } from '@mantine/core'
import { IconRefresh, IconSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import classes from './evaluate.module.css'
import { filterResults, isDifferent } from './filter-results.ts'
import { ResultRow } from './result-row.tsx'
import type { RuleOrigin } from './rule-origins.ts'
import type { Subject } from './subject.ts'

/** Rows that are drawn at first, and more at each wish. */
const ROWS_STEP = 100

interface ResultsProps {
  readonly flags: readonly Flag[]
  readonly set: FlagSet
  readonly subject: Subject
  readonly originsOf: (flag: Flag) => readonly RuleOrigin[]
  readonly reading: { readonly read_at: number; readonly is_reading: boolean; readonly reload: () => void }
  readonly onShow: (flag_key: string) => void
}

/** Every flag with its value for the user and the reason. */
export function Results({ flags, set, subject, originsOf, reading, onShow }: ResultsProps) {
  const [{ q, show }, setFilter] = useUrlState({ q: '', show: 'all' })
  const [rows_max, setRowsMax] = useState(ROWS_STEP)
  const results = useMemo(() => {
    const context = { userKey: subject.user_key, attributes: subject.attributes }
    return flags.map((flag) => ({ flag, evaluation: set.evaluate(flag.key, context) }))
  }, [flags, set, subject])
  const found = useMemo(() => filterResults(results, q, show), [results, q, show])
  const on_count = results.filter(({ evaluation }) => evaluation.enabled).length
  const different_count = results.filter(isDifferent).length
  return (
    <>
      <Group gap="xs" mb="xs">
        <TextInput
          type="search"
          aria-label="Search flags"
          placeholder="Search flags"
          leftSection={<IconSearch size={16} />}
          value={q}
          onChange={(event) => setFilter({ q: event.currentTarget.value })}
          flex={1}
          miw={160}
        />
        <SegmentedControl
          aria-label="Which flags"
          className={classes.filter}
          value={show}
          onChange={(value) => setFilter({ show: value })}
          data={[
            { value: 'all', label: 'All' },
            { value: 'on', label: 'On' },
            { value: 'off', label: 'Off' },
            { value: 'different', label: 'Not the default' },
          ]}
        />
      </Group>
      <Group justify="space-between" mb={6} gap="xs">
        <Text size="xs" c="dimmed" role="status">
          {found.length === results.length
            ? counted(results.length)
            : `${found.length} of ${counted(results.length)}`}
          {' · '}
          {on_count} on · {different_count} not the default value
        </Text>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<IconRefresh size={13} />}
          onClick={reading.reload}
          disabled={reading.is_reading}
        >
          Flags as of {clock.format(reading.read_at)}
        </Button>
      </Group>
      {found.length === 0 ? (
        <Text size="sm" c="dimmed" py="lg" ta="center">
          No flag fits these filters.
        </Text>
      ) : (
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
              {found.slice(0, rows_max).map(({ flag }) => (
                <ResultRow
                  key={flag.key}
                  question={{ set, flag, subject, origins: originsOf(flag) }}
                  onShow={() => onShow(flag.key)}
                />
              ))}
            </Table.Tbody>
          </Table>
        </Paper>
      )}
      {found.length > rows_max && (
        <Button variant="default" mt="sm" fullWidth onClick={() => setRowsMax(rows_max + ROWS_STEP)}>
          Show more: {found.length - rows_max} left
        </Button>
      )}
    </>
  )
}

const counted = (count: number) => `${count} ${count === 1 ? 'flag' : 'flags'}`
const clock = new Intl.DateTimeFormat('en', { timeStyle: 'medium' })
