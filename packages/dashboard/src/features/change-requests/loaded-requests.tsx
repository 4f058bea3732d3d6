import type { ReactNode } from 'react'
import { Failure } from '../../shared/ui/failure.tsx'
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx'

interface LoadedRequestsProps<T> {
  readonly requests: {
    readonly data: T | undefined
    readonly error: Error | null
    readonly isPending: boolean
    readonly isLoadingError: boolean
    readonly refetch: () => Promise<unknown>
  }
  readonly children: (data: T) => ReactNode
}

/** Shows requests once they are loaded, or why they are not. */
export function LoadedRequests<T>({ requests, children }: LoadedRequestsProps<T>) {
  if (requests.data !== undefined && !requests.isLoadingError) return children(requests.data)
  if (requests.isPending) return <SkeletonRows rows={5} height={68} />
  return (
    <Failure
      error={requests.error}
      title="The change requests could not be loaded"
      onRetry={() => void requests.refetch()}
    />
  )
}
