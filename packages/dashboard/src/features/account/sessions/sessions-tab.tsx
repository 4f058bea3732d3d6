import { Button } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { SessionRows } from '../../../parts/sessions/index.ts'
import { call } from '../../../shared/api/call.ts'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { confirm } from '../../../shared/forms/confirm.tsx'
import { Failure } from '../../../shared/ui/failure.tsx'
import { notifySuccess } from '../../../shared/ui/notify.tsx'
import { Section } from '../../../shared/ui/section.tsx'
import { SkeletonRows } from '../../../shared/ui/skeleton-rows.tsx'

/** The list of browsers in which the person is signed in. */
export function SessionsTab() {
  const { data, error, refetch } = useQuery(endpointQuery('listSessions', {}))
  const others = data?.filter(({ is_current }) => !is_current).length ?? 0
  const end = async (id: string) => {
    await call('endSession', { params: { id } })
  }
  const confirmEndOthers = () =>
    confirm({
      title: 'End all other sessions?',
      children: 'You stay signed in here, and are signed out everywhere else at once.',
      confirmLabel: 'End all others',
      onConfirm: async () => {
        await call('endOtherSessions', {})
        notifySuccess({ message: 'Your other sessions have ended.' })
      },
    })
  return (
    <Section
      title="Sessions"
      description="Browsers in which you are signed in. End what you do not recognize, and change your password."
      actions={
        <Button
          variant="default"
          leftSection={<IconLogout size={16} />}
          disabled={others === 0}
          onClick={confirmEndOthers}
        >
          End all others
        </Button>
      }
    >
      {error !== null && (
        <Failure error={error} title="The sessions could not be loaded" onRetry={() => void refetch()} />
      )}
      {!data && error === null && <SkeletonRows rows={2} height={56} />}
      {data && <SessionRows sessions={data} onEnd={({ id }) => end(id)} />}
    </Section>
  )
}
