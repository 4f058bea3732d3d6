import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'
import { AnchorLink } from '../../shared/ui/links.tsx'
import { describePropagation, nextCountMs } from './describe-propagation.ts'

interface PropagationLineProps {
  readonly project_id: string
  readonly environment_id: string
  readonly revision: number
  /** True when the change leaves the flag switched off. */
  readonly isOff: boolean
}

const FIRST_COUNT_MS = 500

/** Counts live how many clients have a change, until all that confirm do. It leads to the list of clients. */
export function PropagationLine({ environment_id, isOff, project_id, revision }: PropagationLineProps) {
  const { data } = useQuery({
    ...endpointQuery('getPropagation', { params: { env_id: environment_id }, query: { revision } }),
    refetchInterval: ({ state }) =>
      state.data ? nextCountMs(state.data, state.dataUpdateCount) : FIRST_COUNT_MS,
    retry: false,
  })
  const text = data && describePropagation(data, { isOff })
  if (!text) return null
  return (
    <AnchorLink
      size="xs"
      display="block"
      to="/projects/$project_id/environments/$environment_id/connect"
      params={{ project_id, environment_id }}
      search={{ tab: 'clients' }}
    >
      {text}
    </AnchorLink>
  )
}
