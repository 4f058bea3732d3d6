import type { Warning } from '@burgee/contract'
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useComment } from '../../shared/comments/use-comment.tsx'
import { JsonDiff } from '../../shared/diff/json-diff.tsx'
import { needsApproval } from '../../shared/scope/needs-approval.ts'
import { useMe } from '../../shared/scope/use-me.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { Gated } from '../../shared/ui/gated.tsx'
import { describeSegmentChange } from './describe-segment-change.ts'
import { applyDraft, patchOf } from './segment-draft.ts'
import type { SegmentUsage } from './segment-usage.ts'
import classes from './segments.module.css'
import { useSaveSegment } from './use-save-segment.ts'
import type { EditedSegment } from './use-segment-draft.ts'

interface ReviewSegmentDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly edited: EditedSegment
  readonly usage: SegmentUsage | null
  /** The server found fields wrong: by JSON pointer. */
  readonly onProblems: (problems: Readonly<Record<string, string>>) => void
  readonly onSaved: (warnings: readonly Warning[]) => void
}

/** The changes that are about to be saved and the users that they reach, before they are saved. */
export function ReviewSegmentDialog({ isOpen, onClose, ...rest }: ReviewSegmentDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Review before saving" size="lg">
      <Review onClose={onClose} {...rest} />
    </Modal>
  )
}

function Review({ edited, usage, onClose, onProblems, onSaved }: Omit<ReviewSegmentDialogProps, 'isOpen'>) {
  const { base, draft } = edited
  const after = applyDraft(base, draft)
  const { error, isBusy, save } = useSaveSegment(edited, { onClose, onProblems, onSaved })
  const { environment } = useScope()
  const { comment, field, permission } = useComment(environment)
  return (
    <Stack gap="md">
      <ul className={classes.phrases}>
        {describeSegmentChange(base, after).map((phrase) => (
          <li key={phrase}>
            <Text size="sm" span>
              {phrase}
            </Text>
          </li>
        ))}
      </ul>
      <Reach usage={usage} />
      {'rules' in patchOf(base, draft) && <AdminNote usage={usage} />}
      <JsonDiff before={shown(base)} after={shown(after)} />
      {field}
      {error !== null && <Failure error={error} title="The segment was not saved" />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Go on editing
        </Button>
        <Gated permission={permission}>
          <Button onClick={() => void save(comment)} loading={isBusy} data-autofocus>
            Save segment
          </Button>
        </Gated>
      </Group>
    </Stack>
  )
}

function Reach({ usage }: { readonly usage: SegmentUsage | null }) {
  if (!usage) return null
  const { resentCount } = usage
  return (
    <Text size="sm" c="dimmed">
      {resentCount === 0
        ? 'No active flag uses it: nothing is sent to SDKs.'
        : `${resentCount} ${resentCount === 1 ? 'flag is' : 'flags are'} sent to SDKs again, at once.`}
    </Text>
  )
}

/**
 * A note that a workspace admin has to save the segment. The meaning of flags is not changed behind the back
 * of those who approve (docs/reference/governance.md#approval-scopes).
 */
function AdminNote({ usage }: { readonly usage: SegmentUsage | null }) {
  const { environment } = useScope()
  const me = useMe()
  if (!usage?.resentCount || !needsApproval(environment) || !me || me.role === 'admin') return null
  return (
    <Text size="sm" c="red" role="note">
      Changes in {environment?.name} need approval, and this one changes flags: ask a workspace admin to save
      it.
    </Text>
  )
}

const shown = ({ name, key, description, rules }: ReturnType<typeof applyDraft>) => ({
  name,
  key,
  description,
  rules,
})
