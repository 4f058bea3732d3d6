import { KEY_MAX_LENGTH } from '@burgee/contract'
import { Autocomplete, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'
import { countOf } from '../../shared/ui/count-of.ts'
import { describeGoalProblem } from './goal-key.ts'

const SHOWN_MAX = 50

interface GoalPickerProps {
  readonly env_id: string
  readonly value: string
  readonly onChange: (goal_event_key: string) => void
  readonly error?: string | undefined
}

/**
 * Offers the event keys that were reported, with their numbers. One that no experiment can name is listed
 * with the reason and cannot be chosen. A key that is not reported yet can be written.
 */
export function GoalPicker({ env_id, value, onChange, error }: GoalPickerProps) {
  const goals = useQuery(endpointQuery('listGoalEventKeys', { params: { env_id } })).data ?? []
  const options = goals.map(({ event_key }) => ({
    value: event_key,
    disabled: describeGoalProblem(event_key) !== null,
  }))
  return (
    <Autocomplete
      label="Goal"
      description="The event key of what users should do"
      placeholder="Choose one or write it"
      data={options.toSorted((a, b) => Number(a.disabled) - Number(b.disabled))}
      value={value}
      onChange={onChange}
      error={describeGoalProblem(value) ?? error}
      limit={SHOWN_MAX}
      openOnFocus={false}
      maxLength={KEY_MAX_LENGTH}
      spellCheck={false}
      required
      // The reason why a goal cannot be chosen has to be readable.
      styles={{ option: { opacity: 1 } }}
      renderOption={({ option }) => {
        const goal = goals.find(({ event_key }) => event_key === option.value)
        return <GoalOption event_key={option.value} users={goal?.unique_users} />
      }}
    />
  )
}

interface GoalOptionProps {
  readonly event_key: string
  readonly users: number | undefined
}

function GoalOption({ event_key, users }: GoalOptionProps) {
  const problem = describeGoalProblem(event_key)
  return (
    <div style={{ width: '100%', minWidth: 0 }}>
      <Group justify="space-between" gap="md" wrap="nowrap">
        <Text span size="sm" truncate {...(problem !== null && { c: 'dimmed', td: 'line-through' })}>
          {event_key}
        </Text>
        {users !== undefined && (
          <Text span size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            {countOf(users, 'user')}
          </Text>
        )}
      </Group>
      {problem !== null && (
        <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
          {problem}
        </Text>
      )}
    </div>
  )
}
