import { IconHistory } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { endpointQuery } from '../../shared/api/queries.ts'
import { recallFlags } from '../recent-flags.ts'
import { type Command, describeCommand } from './command.ts'

/** The flags that were opened last, except for the one on the page. */
export function useRecentCommands(): Command[] {
  const navigate = useNavigate()
  const client = useQueryClient()
  const addressed = useParams({ strict: false })
  const [flags] = useState(recallFlags)
  return flags
    .filter(
      ({ environment_id, flag_key }) =>
        flag_key !== addressed.flag_key || environment_id !== addressed.environment_id,
    )
    .map(({ project_id, environment_id, flag_key }) => {
      const { queryKey } = endpointQuery('listEnvironments', { params: { project_id } })
      const environment = client.getQueryData(queryKey)?.find(({ id }) => id === environment_id)
      return describeCommand({
        id: `recent ${environment_id} ${flag_key}`,
        group: 'Recent',
        label: flag_key,
        description: environment?.name,
        icon: <IconHistory size={17} stroke={1.6} />,
        run: () =>
          navigate({
            to: '/projects/$project_id/environments/$environment_id/flags/$flag_key',
            params: { project_id, environment_id, flag_key },
          }),
      })
    })
}
