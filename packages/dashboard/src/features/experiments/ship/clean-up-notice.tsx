import type { Experiment, ExperimentResults } from '@burgee/contract'
import { Alert, Text } from '@mantine/core'
import { IconBrush } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { nameValue } from '../../../shared/charts/name-value.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { AnchorLink } from '../../../shared/ui/links.tsx'
import { findWinner } from './find-winner.ts'

interface CleanUpNoticeProps {
  readonly experiment: Experiment
  readonly results: ExperimentResults
}

/** After a completed experiment whose winner is served: the flag has done its work and can leave the code. */
export function CleanUpNotice({ experiment, results }: CleanUpNoticeProps) {
  const { project_id, environment_id } = useScope()
  const params = { env_id: environment_id, key: experiment.flag_key }
  const winner = findWinner(results)
  const isEnded = experiment.status === 'completed' && winner !== null
  const flag = useQuery({ ...endpointQuery('getFlag', { params }), enabled: isEnded }).data
  if (!isEnded || !flag || flag.archived_at !== null || flag.variants.length > 0) return null
  return (
    <Alert color="teal" variant="light" icon={<IconBrush size={18} />} title="Time to clean up">
      <Text size="sm">
        Everyone gets {nameValue(winner)}. Remove{' '}
        <AnchorLink
          inherit
          underline="always"
          to="/projects/$project_id/environments/$environment_id/flags/$flag_key"
          params={{ project_id, environment_id, flag_key: flag.key }}
        >
          {flag.key}
        </AnchorLink>{' '}
        from your code, then archive it.
      </Text>
    </Alert>
  )
}
