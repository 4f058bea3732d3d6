import { Alert, List, Skeleton, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { nameRules } from '../../../parts/rules/name-rules.ts'
import { ApiError, hasStatus, messageOf } from '../../../shared/api/api-error.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { previewDraft } from './preview-draft.ts'
import type { FlagDraft } from './use-flag-draft.ts'

const LINE_PX = 20

/** The server's warnings, and the errors that would make it refuse the draft. */
export function ReviewWarnings({ editor }: { readonly editor: FlagDraft }) {
  const { environment_id } = useScope()
  const { base, draft, showProblems } = editor
  const { data, error, isPending } = useQuery({
    queryKey: ['previewFlag', environment_id, base.key, draft],
    queryFn: ({ signal }) => previewDraft(environment_id, base.key, draft, signal),
    gcTime: 0,
    retry: false,
  })
  const isRefused = hasStatus(error, 422)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each response is shown at the fields once
  useEffect(() => {
    if (error instanceof ApiError && error.status === 422) showProblems(error.details)
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
  if (data.warnings.length === 0) {
    return (
      <Text size="sm" c="dimmed" role="status">
        No warnings.
      </Text>
    )
  }
  return (
    <Alert
      color="yellow"
      variant="light"
      role="alert"
      icon={<IconAlertTriangle size={18} />}
      title="Probably a mistake"
    >
      <List size="sm" spacing={4}>
        {data.warnings.map(({ code, path, message }) => (
          <List.Item key={`${code} ${path}`}>
            {placeOf(path)}
            {nameRules(message)}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

/** `/rules/0/values` is in rule 1. */
function placeOf(path: string): string {
  const [, list, index] = /^\/(rules|prerequisites|variants)\/(\d+)/.exec(path) ?? []
  if (list === undefined) return ''
  return `${list[0]?.toUpperCase()}${list.slice(1, -1)} ${Number(index) + 1}: `
}
