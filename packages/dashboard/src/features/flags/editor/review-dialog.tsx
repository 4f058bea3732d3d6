import type { Environment } from '@burgee/contract'
import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { IconCalendarTime } from '@tabler/icons-react'
import { useState } from 'react'
import { FlagDiff } from '../../../parts/flag-diff/flag-diff.tsx'
import { changeTo, ImpactPanel, patchOfFlag, useOverride } from '../../../parts/impact/index.tsx'
import { bothPermissions, useComment } from '../../../shared/comments/use-comment.tsx'
import { isProduction } from '../../../shared/scope/is-production.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { EnvironmentDot } from '../../../shared/ui/environment-dot.tsx'
import { Failure } from '../../../shared/ui/failure.tsx'
import { Gated } from '../../../shared/ui/gated.tsx'
import { patchOf } from './draft.ts'
import classes from './flow.module.css'
import { ReviewWarnings } from './review-warnings.tsx'
import type { FlagDraft } from './use-flag-draft.ts'
import { useSaveFlag } from './use-save-flag.ts'

interface ReviewDialogProps {
  readonly editor: FlagDraft
  readonly onClose: () => void
  readonly onSchedule: () => void
}

/** The changes of a save and the probable mistakes in them, before it is done. */
export function ReviewDialog({ editor, onClose, onSchedule }: ReviewDialogProps) {
  const { environment, environment_id, project_id } = useScope()
  const { base, after, draft, showProblems } = editor
  const changes = changesOf(editor)
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={
        <Group gap={8} wrap="nowrap" component="span">
          {environment && <EnvironmentDot color={environment.color} />}
          <span>
            Review changes to <b>{base.key}</b> in {environment?.name}
          </span>
        </Group>
      }
    >
      <Stack gap="md">
        <FlagDiff before={base} after={after} />
        <ImpactPanel
          project_id={project_id}
          environment_id={environment_id}
          changes={changes}
          names={after.variant_names}
        />
        <ReviewWarnings flag_key={base.key} draft={draft} onProblems={showProblems} />
        <SaveActions editor={editor} onClose={onClose} onSchedule={onSchedule} />
      </Stack>
    </Modal>
  )
}

function changesOf({ after, base, draft }: FlagDraft) {
  const patch = patchOf(base, draft)
  return [patch ? patchOfFlag(base.key, patch) : changeTo(base.key, base, after)]
}

function SaveActions({ editor, onClose, onSchedule }: ReviewDialogProps) {
  const { environment, environment_id } = useScope()
  const save = useSaveFlag(editor)
  const { comment, field, permission } = useComment(environment)
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const isPatch = patchOf(editor.base, editor.draft) !== null
  const obstacle = isPatch ? null : obstacleOf(editor, environment?.require_approval === true)
  const override = useOverride({
    ...{ environment_id, changes: changesOf(editor), failure },
    isLater: environment?.require_approval === true,
  })
  const submit = async () => {
    setBusy(true)
    try {
      await save({ comment, overrideReason: override.overrideReason })
      onClose()
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }
  return (
    <>
      {field}
      {failure !== null && <Failure title="Not saved" error={failure} />}
      {override.field}
      {obstacle && (
        <Alert color="yellow" role="alert">
          {obstacle}
        </Alert>
      )}
      <div className={classes.dialog_actions}>
        <Button
          variant="subtle"
          size="sm"
          leftSection={<IconCalendarTime size={16} />}
          onClick={onSchedule}
          disabled={!isPatch || isBusy}
        >
          Schedule instead…
        </Button>
        <Button variant="default" onClick={onClose} disabled={isBusy}>
          Keep editing
        </Button>
        <Gated permission={bothPermissions(override.permission, permission)}>
          <Button
            onClick={() => void submit()}
            loading={isBusy}
            disabled={obstacle !== null}
            data-autofocus
            {...(isProduction(environment) && { color: 'red' })}
          >
            {saveLabel(environment, override.isClosed)}
          </Button>
        </Gated>
      </div>
    </>
  )
}

function saveLabel(environment: Environment | undefined, isClosed: boolean): string {
  if (environment?.require_approval) return 'Request approval'
  return isClosed ? 'Override and save' : `Save to ${environment?.name ?? 'here'}`
}

/**
 * The reason why this draft cannot be saved as a merge patch. Only a merge patch can wait for approval or
 * leave the archive as it is, and a patch cannot express everything.
 */
function obstacleOf({ base }: FlagDraft, needsApproval: boolean): string | null {
  if (!needsApproval && base.archived_at === null) return null
  const because = needsApproval ? 'where changes need an approval' : 'while the flag is archived'
  return `A JSON value with a null inside an object cannot be saved ${because}. Leave the field out instead.`
}
