import type { ChangeRequest } from '@burgee/contract'
import { Button, Paper, Text } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useScope } from '../../shared/scope/use-scope.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx'
import classes from './change-requests.module.css'
import { RequestDetail } from './request-detail.tsx'
import { useOpenRequest } from './use-change-requests.ts'

interface OpenRequestProps {
  /** As the address has it; empty: none is open. */
  readonly id: string
  readonly listed: readonly ChangeRequest[]
  readonly onBack: () => void
}

/** The request that the address names, beside the list or in its place. */
export function OpenRequest({ id, listed, onBack }: OpenRequestProps) {
  const { environment_id } = useScope()
  const { request, isMissing, error } = useOpenRequest(environment_id, id, listed)
  if (id === '') return null
  return (
    <section className={classes.detail} aria-label={`Change request ${id}`}>
      <Button
        className={classes.back}
        variant="subtle"
        size="compact-sm"
        mb="sm"
        leftSection={<IconArrowLeft size={16} />}
        onClick={onBack}
      >
        All requests
      </Button>
      <Paper withBorder p="lg" radius="md">
        {request ? (
          <RequestDetail key={request.id} request={request} />
        ) : error ? (
          <Failure error={error} title="The change request could not be loaded" />
        ) : isMissing ? (
          <Text size="sm">There is no change request {id} in this environment.</Text>
        ) : (
          <SkeletonRows rows={4} height={32} />
        )}
      </Paper>
    </section>
  )
}
