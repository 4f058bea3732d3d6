import type { Experiment } from '@burgee/contract'
import { Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { Snippet } from '../../../shared/ui/empty-state.tsx'
import { formatExperimentSnippet } from '../format-experiment-snippet.ts'

/** Shown while no user has seen the flag or reached the goal, with the code to add. */
export function WaitingForUsers({ experiment }: { readonly experiment: Experiment }) {
  const { environment_id: env_id, flag_key, goal_event_key } = experiment
  const flags = useQuery(endpointQuery('listFlags', { params: { env_id } }))
  const flag = flags.data?.find(({ key }) => key === flag_key)
  return (
    <Paper withBorder radius="md" p="lg">
      <Stack gap="sm" maw={640}>
        <Title order={2} size="h5">
          Results need two calls
        </Title>
        <Text size="sm">
          Evaluate the flag and track the goal with the same user key. The page refreshes every 15 seconds.
        </Text>
        <Snippet
          code={formatExperimentSnippet({
            flag_key,
            goal_event_key,
            isBoolean: flag?.flag_type === 'boolean',
          })}
        />
        {flags.data && !flag && (
          <Text size="sm" c="dimmed">
            The flag {flag_key} does not exist in this environment yet.
          </Text>
        )}
      </Stack>
    </Paper>
  )
}
