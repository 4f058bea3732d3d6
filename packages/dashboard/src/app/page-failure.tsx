import type { ErrorComponentProps } from '@tanstack/react-router'
import { Failure } from '../shared/ui/failure.tsx'

/** A page that could not be drawn: mostly because its code could not be loaded after an update of the server. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  return (
    <Failure
      title="This page could not be shown"
      error={error}
      onRetry={() => {
        reset()
        location.reload()
      }}
    />
  )
}
