import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError, type ErrorDetail, hasStatus, messageOf } from '../../../shared/api/api-error.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { WarningsAlert } from '../../../shared/warnings/warnings-alert.tsx'
import { type Draft, setFields } from './draft.ts'
import { previewDraft } from './preview-draft.ts'

const LINE_PX = 20

interface ReviewWarningsProps {
  readonly flag_key: string
  readonly draft: Draft
  /** Called with the problems of a draft that the server would refuse. */
  readonly onProblems?: (details: readonly ErrorDetail[]) => void
}

/** The server's warnings about a draft, and the errors that would make it refuse the draft. */
export function ReviewWarnings({ flag_key, draft, onProblems }: ReviewWarningsProps) {
  const { environment_id } = useScope()
  const { data, error, isPending } = useQuery({
    queryKey: ['previewFlag', environment_id, flag_key, draft],
    queryFn: ({ signal }) => previewDraft(environment_id, flag_key, setFields(draft), signal),
    gcTime: 0,
    retry: false,
  })
  const isRefused = hasStatus(error, 422)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each response is shown at the fields once
  useEffect(() => {
    if (error instanceof ApiError && error.status === 422) onProblems?.(error.details)
  }, [error])
  if (isPending) return <Skeleton height={LINE_PX} aria-label="Checking for mistakes" />
  if (isRefused) return <Failure title="This cannot be saved yet" error={error} />
  if (error) {
    return (
      <Text size="sm" c="dimmed">
        The check for mistakes did not work: {messageOf(error)}
      </Text>
    )
  }
  if (data.warnings.length > 0) return <WarningsAlert warnings={data.warnings} />
  return (
    <Text size="sm" c="dimmed" role="status">
      No warnings.
    </Text>
  )
}
