import { describeSegmentChange, type Environment, type Warning } from '@burgee/contract'
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { formatPhrase } from '../../parts/flag-diff/format-phrase.ts'
import { ImpactPanel, useOverride } from '../../parts/impact/index.tsx'
import { hasStatus, messageOf } from '../../shared/api/api-error.ts'
import { bothPermissions, useComment } from '../../shared/comments/use-comment.tsx'
import { JsonDiff } from '../../shared/diff/json-diff.tsx'
import actions from '../../shared/forms/actions.module.css'
import { isProduction } from '../../shared/scope/is-production.ts'
import type { Permission } from '../../shared/scope/use-permissions.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { EnvironmentDot } from '../../shared/ui/environment-dot.tsx'
import { Failure } from '../../shared/ui/failure.tsx'
import { Gated } from '../../shared/ui/gated.tsx'
import { applyDraft, patchOf } from './segment-draft.ts'
import { SegmentEffects } from './segment-effects.tsx'
import classes from './segments.module.css'
import { useSaveSegment } from './use-save-segment.ts'
import type { EditedSegment } from './use-segment-draft.ts'
import { useSegmentPreview } from './use-segment-preview.ts'

interface ReviewSegmentDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly edited: EditedSegment
  /** The server found fields wrong: by JSON pointer. */
  readonly onProblems: (problems: Readonly<Record<string, string>>) => void
  readonly onSaved: (warnings: readonly Warning[]) => void
}

/** The changes of a save, the flags that they reach and the warnings, before it is done. */
export function ReviewSegmentDialog({ isOpen, onClose, ...rest }: ReviewSegmentDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={<Title edited={rest.edited} />} size="lg">
      <Review onClose={onClose} {...rest} />
    </Modal>
  )
}

function Title({ edited }: Pick<ReviewSegmentDialogProps, 'edited'>) {
  const { environment } = useScope()
  return (
    <Group gap={8} wrap="nowrap" component="span">
      {environment && <EnvironmentDot color={environment.color} />}
      <span>
        Review changes to <b>{edited.base.key}</b> in {environment?.name}
      </span>
    </Group>
  )
}

function Review({ edited, onClose, onProblems, onSaved }: Omit<ReviewSegmentDialogProps, 'isOpen'>) {
  const { base, draft } = edited
  const after = applyDraft(base, draft)
  const { error, isBusy, save } = useSaveSegment(edited, { onClose, onProblems, onSaved })
  const preview = useSegmentPreview(edited, onProblems)
  const { environment, project_id } = useScope()
  const { comment, field, permission } = useComment(environment)
  const changes = [{ segment_key: base.key, patch: patchOf(base, draft) }]
  const override = useOverride({
    ...{ environment_id: base.environment_id, changes, failure: error, isLater: false },
  })
  const may = bothPermissions(permissionOf(preview), bothPermissions(override.permission, permission))
  return (
    <Stack gap="md">
      <ul className={classes.phrases}>
        {describeSegmentChange(base, after).map((phrase) => (
          <li key={phrase}>
            <Text size="sm" span>
              {formatPhrase(phrase)}
            </Text>
          </li>
        ))}
      </ul>
      <SegmentEffects preview={preview} />
      <ImpactPanel project_id={project_id} environment_id={base.environment_id} changes={changes} />
      <JsonDiff before={shown(base)} after={shown(after)} />
      {field}
      {error !== null && <Failure error={error} title="The segment was not saved" />}
      {override.field}
      <Group justify="flex-end" gap="xs" className={actions.actions ?? ''}>
        <Button variant="default" onClick={onClose}>
          Keep editing
        </Button>
        <Gated permission={may}>
          <Button
            onClick={() => void save({ comment, overrideReason: override.overrideReason })}
            loading={isBusy}
            data-autofocus
            {...(isProduction(environment) && { color: 'red' })}
          >
            {saveLabel(environment, override.isClosed)}
          </Button>
        </Gated>
      </Group>
    </Stack>
  )
}

function saveLabel(environment: Environment | undefined, isClosed: boolean): string {
  if (isClosed) return 'Override and save'
  return environment ? `Save to ${environment.name}` : 'Save segment'
}

/** Refused where the server would refuse the save. */
function permissionOf({ data, error }: ReturnType<typeof useSegmentPreview>): Permission {
  const isRefused = hasStatus(error, 409) || hasStatus(error, 422)
  if (isRefused) return { isAllowed: false, reason: messageOf(error) }
  return data?.problem === undefined ? { isAllowed: true } : { isAllowed: false, reason: data.problem }
}

const shown = ({ name, key, description, rules }: ReturnType<typeof applyDraft>) => ({
  name,
  key,
  description,
  rules,
})
