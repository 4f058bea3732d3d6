import type { Environment } from '@burgee/contract'
import { Alert, Text } from '@mantine/core'
import { IconPlugX } from '@tabler/icons-react'
import { Fragment } from 'react'
import { listConnected, useConnectionsOf } from '../../../parts/connect-app/connected-environments.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { countOf } from '../../../shared/ui/count-of.ts'
import { AnchorLink } from '../../../shared/ui/links.tsx'

/** More would be a list of its own. */
const NAMED_MAX = 3

/** States that no program uses the flags of this environment, and which environments have programs. */
export function NoProgramNotice({ environment }: { readonly environment: Environment }) {
  const { project_id, environments } = useScope()
  const others = environments.filter(({ id }) => id !== environment.id)
  // The open environment comes first, so that it is among those that are read.
  const [here, ...elsewhere] = useConnectionsOf([environment, ...others])
  if (!here || here.streams > 0) return null
  const connected = listConnected(others, elsewhere).slice(0, NAMED_MAX)
  if (connected.length === 0) return null
  return (
    <Alert color="yellow" variant="light" icon={<IconPlugX size={18} />} mb="md" py="xs">
      <Text size="sm">
        No program is connected to {environment.name}: changes here reach no program yet.{' '}
        {connected.map(({ environment: { id, name }, streams }, at) => (
          <Fragment key={id}>
            {at > 0 && ', '}
            <AnchorLink
              inherit
              underline="always"
              to="/projects/$project_id/environments/$environment_id/flags"
              params={{ project_id, environment_id: id }}
            >
              {name}
            </AnchorLink>
            {` has ${countOf(streams, 'connected program')}`}
          </Fragment>
        ))}
        .
      </Text>
    </Alert>
  )
}
