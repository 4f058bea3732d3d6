import { KEY_MAX_LENGTH } from '@burgee/contract'
import { Autocomplete, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'
import { formatCount } from '../../shared/charts/format-number.ts'

const SHOWN_MAX = 50

interface GoalPickerProps {
  readonly env_id: string
  readonly value: string
  readonly onChange: (goal_event_key: string) => void
  readonly error?: string | undefined
}

/** Goals that were reported are offered with their numbers; one that is still to come can be written. */
export function GoalPicker({ env_id, value, onChange, error }: GoalPickerProps) {
  const goals = useQuery(endpointQuery('listGoalEventKeys', { params: { env_id } })).data ?? []
  return (
    <Autocomplete
      label="Goal"
      description="The event key of what users should do"
      placeholder="Choose one or write it"
      data={goals.map(({ event_key }) => event_key)}
      value={value}
      onChange={onChange}
      error={error}
      limit={SHOWN_MAX}
      openOnFocus={false}
      maxLength={KEY_MAX_LENGTH}
      spellCheck={false}
      required
      renderOption={({ option }) => {
        const goal = goals.find(({ event_key }) => event_key === option.value)
        return (
          <Group justify="space-between" gap="md" wrap="nowrap" w="100%">
            <Text span size="sm" truncate>
              {option.value}
            </Text>
            {goal && (
              <Text span size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                {formatCount(goal.unique_users)} users
              </Text>
            )}
          </Group>
        )
      }}
    />
  )
}
