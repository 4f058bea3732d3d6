import { Skeleton, Stack, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../shared/api/call.ts'
import { endpointQuery } from '../../shared/api/queries.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { notifyFailure, notifySuccess } from '../../shared/ui/notify.tsx'
import { Section } from '../../shared/ui/section.tsx'

const DESCRIPTION =
  'On: each environment has its own setting. Off: no server key may create or revoke keys, or change webhooks, Slack & Teams alerts and environments.'

/** The setting that lets SDK keys manage environments at all. */
export function KeysPolicy() {
  const { data, error, refetch } = useQuery(endpointQuery('getWorkspaceSettings', {}))
  const [isBusy, setBusy] = useState(false)
  const change = async (keys_may_manage: boolean) => {
    setBusy(true)
    try {
      await call('updateWorkspace', { body: { keys_may_manage } })
      const message = keys_may_manage
        ? 'The setting of each environment applies now.'
        : 'SDK keys may not manage any environment now.'
      notifySuccess({ message })
    } catch (failure) {
      notifyFailure('The setting was not changed', failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Section
      title="SDK keys"
      description="If a key leaks, it can do less harm when it may only change flags."
      isBoxed
    >
      {error !== null && (
        <Failure error={error} title="The setting could not be loaded" onRetry={() => void refetch()} />
      )}
      {!data && error === null && <Skeleton height={60} />}
      {data && (
        <Stack>
          <Switch
            label="SDK keys may manage environments"
            description={DESCRIPTION}
            checked={data.keys_may_manage}
            disabled={isBusy}
            onChange={(event) => void change(event.currentTarget.checked)}
          />
        </Stack>
      )}
    </Section>
  )
}
