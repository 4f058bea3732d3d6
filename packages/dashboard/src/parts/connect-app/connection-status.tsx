import { Paper, Text } from '@mantine/core'
import { IconCheck, IconPlug } from '@tabler/icons-react'
import { messageOf } from '../../shared/api/api-error.ts'
import { countOf } from '../../shared/ui/count-of.ts'
import { Time } from '../../shared/ui/time.tsx'
import classes from './connect-app.module.css'
import { connectionState } from './connection-state.ts'
import { useConnections } from './use-connections.ts'

interface ConnectionStatusProps {
  readonly env_id: string
  readonly environment_name: string
}

/** The present state of the SDKs' connections: it turns green by itself when the first one connects. */
export function ConnectionStatus({ env_id, environment_name }: ConnectionStatusProps) {
  const { data, error } = useConnections(env_id)
  const state = connectionState(error ? undefined : data)
  return (
    <Paper withBorder p="md" radius="md" className={classes.status} data-state={state} role="status">
      <span className={classes.lamp} aria-hidden="true">
        {state === 'now' ? <IconCheck size={18} /> : <IconPlug size={18} />}
      </span>
      <div className={classes.words}>
        <Text size="sm" fw={600}>
          {error ? 'The connections could not be read' : titleOf(state, data?.streams ?? 0)}
        </Text>
        <Text size="sm" c="dimmed">
          {error && messageOf(error)}
          {state === 'now' && `Changes of flags in ${environment_name} arrive there at once.`}
          {state === 'never' && 'Run the code: this turns green by itself when it connects.'}
          {state === 'before' && data?.last_connected_at && (
            <>
              The last one connected <Time at={data.last_connected_at} />.
            </>
          )}
        </Text>
      </div>
    </Paper>
  )
}

function titleOf(state: ReturnType<typeof connectionState>, streams: number): string {
  if (state === 'unknown') return 'Looking for connected SDKs'
  if (state === 'never') return 'Waiting for the first SDK to connect'
  if (state === 'before') return 'No SDK is connected now'
  return `Connected: ${countOf(streams, 'SDK')}`
}
