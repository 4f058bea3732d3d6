import { Tooltip } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followEnvironment } from './follow-environment.ts'
import classes from './live-updates.module.css'
import type { StreamStatus } from './open-stream.ts'
import { useTabInSight } from './use-tab-in-sight.ts'

/** The page itself comes first. Nothing is missed: the stream begins with how everything is. */
const START_AFTER_MS = 500

const STATUS: Record<StreamStatus, { readonly label: string; readonly hint: string }> = {
  connecting: { label: 'Connecting', hint: 'Changes by others appear once connected.' },
  live: { label: 'Live', hint: 'Changes by others appear here automatically.' },
  reconnecting: {
    label: 'Reconnecting',
    hint: 'The connection to the server is lost. What you see may be out of date. The page reconnects automatically.',
  },
}

interface LiveUpdatesProps {
  readonly environment_id: string
  readonly status: StreamStatus
  /** The same function each time. */
  readonly onStatus: (status: StreamStatus) => void
}

/**
 * Keeps the flags of an environment as they are on the server, and states whether it can. A tab out of sight
 * closes its stream, since browsers open six connections to a server and no more. It catches up when it is
 * visible again.
 */
export function LiveUpdates({ environment_id, status, onStatus }: LiveUpdatesProps) {
  const client = useQueryClient()
  const isInSight = useTabInSight()
  useEffect(() => {
    if (environment_id === '' || !isInSight) return
    let stop = () => {}
    const timer = setTimeout(() => {
      stop = followEnvironment(client, environment_id, onStatus)
    }, START_AFTER_MS)
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [client, environment_id, isInSight, onStatus])
  if (environment_id === '') return null
  const { label, hint } = STATUS[status]
  return (
    <Tooltip label={hint} position="top-start" events={{ hover: true, focus: true, touch: true }}>
      <div className={classes.status} data-status={status} role="status">
        <span className={classes.dot} />
        {label}
      </div>
    </Tooltip>
  )
}
