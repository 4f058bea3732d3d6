import type { Environment, RevertResult } from '@burgee/contract'
import { Alert, Badge, Group, Modal, Skeleton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { violationsOf } from '../../shared/api/api-error.ts'
import { call, send } from '../../shared/api/call.ts'
import { bothPermissions, useComment } from '../../shared/comments/use-comment.tsx'
import { ChangeActions } from '../../shared/forms/change-actions.tsx'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { requestOverride } from '../../shared/overrides/override-request.ts'
import { isProduction } from '../../shared/scope/is-production.ts'
import { needsApproval } from '../../shared/scope/needs-approval.ts'
import { usePermissions } from '../../shared/scope/use-permissions.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { ApprovalNote } from '../../shared/ui/approval-note.tsx'
import { countOf } from '../../shared/ui/count-of.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { notifySuccess } from '../../shared/ui/notify.tsx'
import { CountedUsers } from '../impact/index.tsx'
import { conflictsOf, describeConflict, describeGivenBack, describeOutcome } from './describe-conflict.ts'
import classes from './undo.module.css'

interface UndoDialogProps {
  readonly environment: Environment
  readonly audit_ids: readonly number[]
  readonly onClose: () => void
  readonly onDone: () => void
}

/** The dialog that shows the fields that an undo gives back, by a dry run, and makes it. */
export function UndoDialog(props: UndoDialogProps) {
  const { audit_ids, environment, onClose } = props
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={`Undo ${countOf(audit_ids.length, 'change')} in ${environment.name}`}
    >
      <UndoForm {...props} />
    </Modal>
  )
}

function UndoForm({ audit_ids, environment, onClose, onDone }: UndoDialogProps) {
  const params = { env_id: environment.id }
  const permission = usePermissions(undefined, environment.id)('revertEnvironment')
  const { comment, field, permission: commented } = useComment(environment)
  const [overrideReason, setOverrideReason] = useState<string>()
  const trial = useQuery({
    queryKey: ['revertEnvironment', environment.id, audit_ids],
    queryFn: async ({ signal }) => {
      const input = { params, body: { audit_ids: [...audit_ids], dry_run: true, impact: false } }
      try {
        return await call('revertEnvironment', input, { signal, handlesViolations: true })
      } catch (error) {
        const reason = await requestOverride(violationsOf(error), environment.id)
        if (reason === null) throw error
        setOverrideReason(reason)
        return call('revertEnvironment', input, { signal, overrideReason: reason })
      }
    },
    gcTime: 0,
    retry: false,
    // Otherwise the reason would be requested again when the window is back in front.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const isAsking = needsApproval(environment)
  const { failure, formProps, isBusy } = useSubmit([], async () => {
    const reply = await send(
      'revertEnvironment',
      { params, body: { audit_ids: [...audit_ids] } },
      { comment, overrideReason },
    )
    notifySuccess({
      message:
        reply.status === 202
          ? 'The undo waits for approval.'
          : `Undid ${countOf(audit_ids.length, 'change')} in ${environment.name}.`,
    })
    onDone()
  })
  const isReady = trial.data !== undefined && trial.data.changes.length > 0
  return (
    <form {...formProps}>
      <Stack gap="md">
        {trial.isPending && <Skeleton height={90} aria-label="Trying the undo" />}
        {trial.error && <Refused error={trial.error} />}
        {trial.data && <GivenBack result={trial.data} />}
        {isReady && (
          <UndoImpact environment={environment} audit_ids={audit_ids} overrideReason={overrideReason} />
        )}
        {isAsking && <ApprovalNote environment_name={environment.name} />}
        {field}
        {failure !== null && <Failure error={failure} title="Nothing was undone" />}
        <ChangeActions
          label={`Undo in ${environment.name}`}
          isAsking={isAsking}
          isBusy={isBusy}
          isReady={isReady}
          isDangerous={isProduction(environment)}
          permission={bothPermissions(permission, commented)}
          onClose={onClose}
        />
      </Stack>
    </form>
  )
}

interface UndoImpactProps extends Pick<UndoDialogProps, 'audit_ids' | 'environment'> {
  readonly overrideReason: string | undefined
}

/** The users who get another result by the undo. It loads beside the fields, and nothing waits for it. */
function UndoImpact({ audit_ids, environment, overrideReason }: UndoImpactProps) {
  const { project_id } = useScope()
  const { data, isPending } = useQuery({
    queryKey: ['revertEnvironment', environment.id, audit_ids, 'impact', overrideReason],
    queryFn: ({ signal }) =>
      call(
        'revertEnvironment',
        { params: { env_id: environment.id }, body: { audit_ids: [...audit_ids], dry_run: true } },
        { signal, overrideReason, handlesViolations: true },
      ),
    gcTime: 0,
    retry: false,
  })
  if (isPending) return <Skeleton height={96} aria-label="Counting the users who change" />
  if (!data?.impact) return null
  return <CountedUsers impact={data.impact} project_id={project_id} environment_id={environment.id} />
}

function Refused({ error }: { readonly error: unknown }) {
  const conflicts = conflictsOf(error)
  if (conflicts.length === 0) return <Failure error={error} title="This cannot be undone" />
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconAlertTriangle size={18} />}
      title="Something was changed again since"
    >
      <ul className={classes.changes}>
        {conflicts.map((conflict) => (
          <li key={`${conflict.audit_id} ${conflict.flag_key} ${conflict.segment_key} ${conflict.path}`}>
            {describeConflict(conflict)}
          </li>
        ))}
      </ul>
      <Text size="sm" mt={6}>
        Nothing is undone in part. Choose the later changes too, or change these fields by hand.
      </Text>
    </Alert>
  )
}

function GivenBack({ result }: { readonly result: RevertResult }) {
  if (result.changes.length === 0) return <Text size="sm">There is nothing to undo.</Text>
  return result.changes.map(({ action, changes, key, resource }) => (
    <div key={`${resource} ${key}`}>
      <Group gap={8}>
        <Text size="sm" fw={600}>
          {key}
        </Text>
        <Badge variant="default" size="sm" tt="none">
          {describeOutcome(resource, action)}
        </Badge>
      </Group>
      <ul className={classes.changes}>
        {changes.filter(isUnsaid).map((change) => (
          <li key={change.path}>
            <Text size="sm" span>
              {describeGivenBack(change)}
            </Text>
          </li>
        ))}
      </ul>
    </div>
  ))
}

/** The badge states that a flag is archived, or no longer. */
const isUnsaid = ({ path }: { readonly path: string }): boolean => path !== '/archived_at'
