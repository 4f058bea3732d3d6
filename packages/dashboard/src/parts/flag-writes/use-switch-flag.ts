import type { Flag } from '@burgee/contract'
import { notifications } from '@mantine/notifications'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { hasStatus } from '../../shared/api/api-error.ts'
import { call, type Explained } from '../../shared/api/call.ts'
import { endpointKey } from '../../shared/api/queries.ts'
import { notifyFailure } from '../../shared/ui/notify.tsx'
import { announceOutcome } from './announce-outcome.tsx'
import { forgetFlag, storeFlag } from './flag-write.ts'
import { usePatchFlag } from './use-patch-flag.ts'

interface Place {
  readonly project_id: string
  readonly environment_id: string
}

interface SwitchOptions extends Explained {
  readonly isUndo?: boolean
}

/**
 * Switches a flag on or off: on the page at once, then on the server. The page shows the old state again
 * where the server refuses. The revision on the page is sent along, so that a newer change of someone else
 * is shown, not overwritten.
 */
export function useSwitchFlag({ project_id, environment_id }: Place) {
  const client = useQueryClient()
  const patch = usePatchFlag(environment_id)
  /** A flag's writes go one after the other, else the second would be refused for the first's revision. */
  const running = useRef(new Map<string, Promise<void>>())

  const write = async (
    flag: Flag,
    is_enabled: boolean,
    { isUndo = false, ...explained }: SwitchOptions = {},
  ): Promise<void> => {
    storeFlag(client, environment_id, { ...flag, is_enabled })
    try {
      const outcome = await patch(flag.key, { is_enabled }, { ...explained, ifMatch: flag.revision })
      if (outcome.kind === 'asked') storeFlag(client, environment_id, flag)
      const undo = outcome.kind === 'done' && !isUndo
      announceOutcome(outcome, {
        done: `${flag.key} is ${is_enabled ? 'on' : 'off'}`,
        project_id,
        environment_id,
        ...(undo && { onUndo: () => void write(outcome.flag, !is_enabled, { isUndo: true }) }),
      })
    } catch (error) {
      storeFlag(client, environment_id, flag)
      if (hasStatus(error, 412)) await showNewer(flag.key)
      else if (hasStatus(error, 404)) describeDeleted(flag.key)
      else notifyFailure(`${flag.key} was not switched`, error)
    }
  }

  const showNewer = async (key: string): Promise<void> => {
    try {
      const newer = await call('getFlag', { params: { env_id: environment_id, key } })
      storeFlag(client, environment_id, newer)
      notifications.show({
        color: 'yellow',
        title: `Someone else changed ${key}`,
        message: `It is ${newer.is_enabled ? 'on' : 'off'} now. Nothing was overwritten.`,
        autoClose: 10_000,
      })
    } catch (error) {
      if (hasStatus(error, 404)) describeDeleted(key)
      else notifyFailure(`Someone else changed ${key}`, error)
    }
  }

  const describeDeleted = (key: string): void => {
    forgetFlag(client, environment_id, key)
    notifications.show({ color: 'yellow', message: `Someone else deleted ${key}.`, autoClose: 10_000 })
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: no redrawn rows for it; nothing else changes
  return useCallback(
    (key: string, is_enabled: boolean, explained?: Explained): void => {
      const run = (running.current.get(key) ?? Promise.resolve()).then(async () => {
        const flag = knownFlag(client, environment_id, key)
        if (flag) await write(flag, is_enabled, explained)
      })
      running.current.set(key, run)
    },
    [client, environment_id, project_id],
  )
}

/** The flag as the page shows it: in a list, or alone. */
function knownFlag(client: QueryClient, env_id: string, key: string): Flag | undefined {
  const listed = client.getQueryData<Flag[]>(endpointKey('listFlags', { params: { env_id } }))
  const alone = client.getQueryData<Flag>(endpointKey('getFlag', { params: { env_id, key } }))
  const inList = listed?.find((flag) => flag.key === key)
  return inList && alone ? (inList.revision > alone.revision ? inList : alone) : (inList ?? alone)
}
