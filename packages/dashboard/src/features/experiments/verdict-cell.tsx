import type { Experiment } from '@burgee/contract'
import { Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'
import { describeVerdict } from './descriptions/describe-result.ts'
import classes from './verdict-cell.module.css'

const FRESH_MS = 60_000

/** The headline of an experiment's results, in a list. */
export function VerdictCell({ experiment }: { readonly experiment: Experiment }) {
  const params = { env_id: experiment.environment_id, key: experiment.key }
  const results = useQuery({ ...endpointQuery('getExperimentResults', { params }), staleTime: FRESH_MS })
  if (results.isPending) return <Skeleton height={16} maw={220} />
  if (results.isError) return <Text size="sm">Could not be loaded</Text>
  const { tone, headline } = describeVerdict(results.data)
  return (
    <Group gap={8} wrap="nowrap" align="flex-start">
      <span className={classes.dot} data-tone={tone} aria-hidden="true" />
      <Text span size="sm" lineClamp={2} className={classes.text}>
        {headline}
      </Text>
    </Group>
  )
}
