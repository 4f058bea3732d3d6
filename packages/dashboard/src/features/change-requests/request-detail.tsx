import type { ChangeRequest } from '@burgee/contract'
import { Alert, Divider, Group, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconCalendarTime, IconMessage } from '@tabler/icons-react'
import { describeImpact, ImpactPanel } from '../../parts/impact/index.tsx'
import { formatMinute } from '../../parts/schedule/format-minute.ts'
import { describePointer, plainText } from '../../shared/api/plain-text.ts'
import { CommentText } from '../../shared/comments/comment-text.tsx'
import { useScope } from '../../shared/scope/use-scope.ts'
import { AnchorLink } from '../../shared/ui/links.tsx'
import { Time } from '../../shared/ui/time.tsx'
import { ApprovalsGiven } from './approvals-given.tsx'
import { BypassNote } from './bypass-note.tsx'
import { describeOperation } from './describe-operation.ts'
import { Discussion } from './discussion.tsx'
import { RequestChange } from './request-change.tsx'
import { ReviewActions } from './review-actions.tsx'
import { StatusBadge } from './status-badge.tsx'

/** All that a reviewer needs to know of a request, and the decision. */
export function RequestDetail({ request }: { readonly request: ChangeRequest }) {
  const { project_id, environment_id } = useScope()
  const { flag_key, scheduled_at, status } = request
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start" gap="xs">
        <Title order={2} size="h4" miw={0}>
          {describeOperation(request)}{' '}
          <AnchorLink
            inherit
            to="/projects/$project_id/environments/$environment_id/flags/$flag_key"
            params={{ project_id, environment_id, flag_key }}
          >
            {flag_key}
          </AnchorLink>
        </Title>
        <StatusBadge status={status} />
      </Group>
      <Provenance request={request} />
      <BypassNote request={request} />
      {request.reason && (
        <Alert variant="light" color="gray" icon={<IconMessage size={18} />} title="Reason">
          <Text size="sm">{request.reason}</Text>
        </Alert>
      )}
      {scheduled_at && (
        <Alert variant="light" icon={<IconCalendarTime size={18} />} title="For a later time">
          <Text size="sm">{describeTime(request, scheduled_at)}</Text>
        </Alert>
      )}
      <Warnings request={request} />
      <Divider />
      <Title order={3} size="h6">
        {describeDiff(request)}
      </Title>
      <RequestChange request={request} />
      <RequestImpact request={request} />
      <ApprovalsGiven request={request} />
      {status === 'pending' && <ReviewActions request={request} />}
      <Divider />
      <Discussion request={request} />
    </Stack>
  )
}

/** The users whom approving a pending request would change. */
function RequestImpact({ request }: { readonly request: ChangeRequest }) {
  const { project_id } = useScope()
  const { environment_id, id, operation, preview, status } = request
  if (status !== 'pending' || operation === 'unschedule' || !preview || preview.problem !== undefined)
    return null
  const names = preview.after?.variant_names
  const then = request.impact && describeImpact(request.impact, names)
  return (
    <>
      <ImpactPanel
        project_id={project_id}
        environment_id={environment_id}
        changes={[{ change_request_id: id }]}
        names={names}
      />
      {then && (
        <Text size="xs" c="dimmed">
          When it was requested: {then}
        </Text>
      )}
    </>
  )
}

function describeDiff({
  bypass_reason,
  decided_change,
  preview,
  scheduled_at,
  status,
}: ChangeRequest): string {
  if (decided_change) {
    if (status !== 'approved') return 'What it would have changed'
    if (scheduled_at !== null) return 'What it was to change at that time'
    return bypass_reason === null ? 'What the approval changed' : 'What it changed'
  }
  if (status !== 'pending' || preview?.problem !== undefined) return 'Requested change'
  const isLater = scheduled_at !== null && Date.parse(scheduled_at) > Date.now()
  return isLater ? 'What it would change, against the flag of now' : 'What approving would change now'
}

function describeTime({ status }: ChangeRequest, scheduled_at: string): string {
  const when = formatMinute(scheduled_at)
  if (status !== 'pending') return `It was requested ${when}.`
  return Date.parse(scheduled_at) > Date.now()
    ? `Once it is approved, it runs on ${when}.`
    : `${when} has passed: it runs as soon as it is approved.`
}

function Provenance({ request }: { readonly request: ChangeRequest }) {
  const { created_at, requested_by, reviewed_at, reviewed_by } = request
  return (
    <Stack gap={2}>
      <Text size="sm" component="div">
        Request {request.id}, requested by <b>{requested_by}</b> <Time at={created_at} span />
      </Text>
      <Credential request={request} />
      <CommentText comment={request.comment} />
      {reviewed_by && request.bypass_reason === null && (
        <Text size="sm" component="div">
          {request.status === 'approved' ? 'Approved' : 'Rejected'} by <b>{reviewed_by}</b>{' '}
          {reviewed_at && <Time at={reviewed_at} span />}
        </Text>
      )}
      <CommentText comment={request.review_comment} />
    </Stack>
  )
}

/** The token or key that asked, which other people may know as well. */
function Credential({ request: { requested_with } }: { readonly request: ChangeRequest }) {
  if (requested_with === null || requested_with.kind === 'session') return null
  const { created_by, kind, name } = requested_with
  return (
    <Text size="sm" c="dimmed">
      {kind === 'sdk_key' ? 'With the SDK key' : 'With the token'} <b dir="auto">{name}</b>
      {created_by.length > 0 && ` of ${created_by.join(', ')}`}
      {kind === 'sdk_key' && '. Everyone who knows the key can ask with it.'}
    </Text>
  )
}

function Warnings({ request: { preview, flag_key } }: { readonly request: ChangeRequest }) {
  if (!preview) return null
  return (
    <>
      {preview.problem !== undefined && (
        <Alert
          variant="light"
          color="red"
          icon={<IconAlertTriangle size={18} />}
          title="This cannot be approved as things are"
        >
          <Text size="sm">{plainText(preview.problem)}</Text>
        </Alert>
      )}
      {preview.conflicts.length > 0 && (
        <Alert
          variant="light"
          color="yellow"
          icon={<IconAlertTriangle size={18} />}
          title={`${flag_key} has changed since this was requested`}
        >
          <Text size="sm">
            Changed meanwhile: {preview.conflicts.map(describePointer).join(', ')}. What you see below is
            against the flag as it is now.
          </Text>
        </Alert>
      )}
    </>
  )
}
