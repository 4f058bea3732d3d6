import type { Flag } from '@burgee/contract'
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { hasStatus } from '../../shared/api/api-error.ts'
import { endpointQuery } from '../../shared/api/queries.ts'
import { usePermissions } from '../../shared/scope/use-permissions.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx'
import { FlagEditor } from './editor/flag-editor.tsx'
import { NoFlag } from './editor/no-flag.tsx'

/** One flag of the environment that is open. */
export function FlagPage() {
  const { flag_key = '' } = useParams({ strict: false })
  const { environment_id } = useScope()
  return <FlagOfKey key={`${environment_id} ${flag_key}`} flag_key={flag_key} />
}

function FlagOfKey({ flag_key }: { readonly flag_key: string }) {
  const { environment_id, project_id } = useScope()
  const flag = useQuery(endpointQuery('getFlag', { params: { env_id: environment_id, key: flag_key } }))
  // Before the rights are known, an editor would look like a viewer for a moment.
  const own = useQuery(endpointQuery('getOwnAccess', { params: { project_id } }))
  const permission = usePermissions()('patchFlag')
  const { data: isListed } = useQuery({
    ...endpointQuery('listFlags', { params: { env_id: environment_id } }),
    select: (flags) => flags.some(({ key }) => key === flag_key),
  })
  const { refetch } = flag
  // A deleted flag leaves the caches without an event for the page that shows it.
  useEffect(() => {
    if (isListed === false) void refetch()
  }, [isListed, refetch])
  const last_seen = useRef<Flag>(undefined)
  if (flag.data) last_seen.current = flag.data
  const shown = last_seen.current
  const isGone = hasStatus(flag.error, 404)
  if (shown && !own.isPending) {
    const locked = permission.isAllowed ? undefined : (permission.reason ?? 'Your role may not change flags.')
    return <FlagEditor flag={shown} locked={locked} isGone={isGone} />
  }
  if (isGone) return <NoFlag flag_key={flag_key} />
  return (
    <Page title={flag_key} description={<Skeleton height={28} width={220} mt={4} />}>
      {flag.error ? (
        <Failure
          title="The flag could not be loaded"
          error={flag.error}
          onRetry={() => void flag.refetch()}
        />
      ) : (
        <SkeletonRows rows={6} height={120} />
      )}
    </Page>
  )
}
