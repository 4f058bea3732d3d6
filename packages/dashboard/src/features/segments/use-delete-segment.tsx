import type { Segment } from '@burgee/contract'
import { Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../shared/api/call.ts'
import { confirm } from '../../shared/forms/confirm.tsx'
import { isProduction } from '../../shared/scope/is-production.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { countOf } from '../../shared/ui/count-of.ts'
import { notifySuccess } from '../../shared/ui/notify.tsx'
import type { SegmentUsage } from './segment-usage.ts'
import classes from './segments.module.css'

const SHOWN_MAX = 10

/**
 * Opens a confirmation before a segment is deleted, and shows what uses it. In Production its key has to be
 * typed.
 */
export function useDeleteSegment({ environment_id: env_id, key, name }: Segment, usage: SegmentUsage | null) {
  const navigate = useNavigate()
  const { environment, project_id } = useScope()
  return () =>
    confirm({
      title: `Delete the segment ${name}?`,
      confirmLabel: 'Delete segment',
      ...(isProduction(environment) && { typed: key }),
      children: <DeletionNotice usage={usage} />,
      commentIn: environment,
      onConfirm: async (comment) => {
        const leave = () =>
          navigate({
            to: '/projects/$project_id/environments/$environment_id/segments',
            params: { project_id, environment_id: env_id },
            ignoreBlocker: true,
          })
        await call('deleteSegment', { params: { env_id, key } }, { comment, settle: leave })
        notifySuccess({ message: `Segment ${key} is deleted.` })
      },
    })
}

/** Outside of the router, where dialogs of the whole page live: names without links. */
function DeletionNotice({ usage }: { readonly usage: SegmentUsage | null }) {
  if (!usage) return null
  const { flags, indirectFlags, segments, resentCount } = usage
  const users = [...flags, ...indirectFlags, ...segments]
  if (users.length === 0) return <Text size="sm">No flag and no other segment uses it.</Text>
  return (
    <>
      <Text size="sm" mb="xs">
        Rules that name it stay and match no users. {countOf(resentCount, 'flag is', 'flags are')} sent to
        SDKs again, without its users:
      </Text>
      <ul className={classes.phrases} aria-label="Used by">
        {users.slice(0, SHOWN_MAX).map(({ key }) => (
          <li key={key}>{key}</li>
        ))}
        {users.length > SHOWN_MAX && <li>and {users.length - SHOWN_MAX} more</li>}
      </ul>
    </>
  )
}
