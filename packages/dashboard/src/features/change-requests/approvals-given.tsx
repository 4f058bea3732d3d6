import type { ChangeRequest, Environment } from '@burgee/contract'
import { Group, Stack, Text, Title } from '@mantine/core'
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import { roleName, useRoles } from '../../parts/roles/use-roles.ts'
import { CommentText } from '../../shared/comments/comment-text.tsx'
import { useScope } from '../../shared/scope/use-scope.ts'
import { Time } from '../../shared/ui/time.tsx'
import { approvalProgress, describeProgress, NOT_COUNTED_WORDS } from './approval-progress.ts'
import classes from './change-requests.module.css'
import { useMemberNames } from './use-member-names.ts'

/** The approvals of a request, and how many it still needs. Nothing where one ordinary approval decides. */
export function ApprovalsGiven({ request }: { readonly request: ChangeRequest }) {
  const { environment } = useScope()
  const progress = approvalProgress(request, environment)
  const isPending = request.status === 'pending'
  const isUsual = progress.needed === 1 && (environment?.approvers.length ?? 0) === 0
  if (request.approvals.length === 0 && (!isPending || isUsual)) return null
  return (
    <Stack gap={6} component="section" aria-label="Approvals">
      <Title order={3} size="h6">
        {isPending ? describeProgress(progress) : 'Approvals'}
      </Title>
      {request.approvals.length > 0 && (
        <ul className={classes.approvals}>
          {request.approvals.map((approval) => (
            <li key={`${approval.approved_by} ${approval.approved_at}`}>
              <Group gap={6} align="flex-start" wrap="nowrap">
                {approval.not_counted === null ? (
                  <IconCircleCheck size={18} className={classes.counted} aria-hidden="true" />
                ) : (
                  <IconCircleDashed size={18} className={classes.uncounted} aria-hidden="true" />
                )}
                <div>
                  <Text size="sm" component="div" {...(approval.not_counted !== null && { c: 'dimmed' })}>
                    <b>{approval.approved_by}</b> <Time at={approval.approved_at} span />
                  </Text>
                  {approval.not_counted !== null && (
                    <Text size="xs" c="dimmed">
                      Does not count any more: {NOT_COUNTED_WORDS[approval.not_counted]}
                    </Text>
                  )}
                  <CommentText comment={approval.comment} />
                </div>
              </Group>
            </li>
          ))}
        </ul>
      )}
      {isPending && environment && environment.approvers.length > 0 && (
        <Approvers environment={environment} />
      )}
    </Stack>
  )
}

/** The people and roles that can approve here. */
function Approvers({ environment: { approvers } }: { readonly environment: Environment }) {
  const roles = useRoles()
  const nameOf = useMemberNames()
  const names = approvers.map((one) =>
    'role' in one ? `everyone with the role ${roleName(roles, one.role)}` : nameOf(one.user_id),
  )
  return (
    <Text size="xs" c="dimmed">
      Approvers here: {names.join(', ')}.
    </Text>
  )
}
