import type { Violation } from '@burgee/contract'
import { OVERRIDE_REASON_MAX_LENGTH } from '@burgee/contract'
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Violations } from '../../parts/impact/violations.tsx'
import { setOverrideAsker } from '../../shared/overrides/override-requests.ts'
import { usePermissions } from '../../shared/scope/use-permissions.ts'

/** Another dialog may be open: the one whose write was refused. */
const ABOVE_OTHER_DIALOGS = 900
const LISTED_MAX = 5

interface Question {
  readonly violations: readonly Violation[]
  readonly resolve: (reason: string | null) => void
}

/**
 * Requests the reason for overriding invariants that block a write without a dialog of its own, such as a
 * switch or a bulk action. People who may not override see the refusal instead.
 */
export function OverrideDialog({ project_id }: { readonly project_id: string }) {
  const [questions, setQuestions] = useState<readonly Question[]>([])
  const { isAllowed } = usePermissions(project_id)('updateInvariant')
  useEffect(() => {
    if (!isAllowed) return
    return setOverrideAsker(
      (violations) => new Promise((resolve) => setQuestions((all) => [...all, { violations, resolve }])),
    )
  }, [isAllowed])
  const [question] = questions
  const close = (reason: string | null) => {
    question?.resolve(reason)
    setQuestions((waiting) => waiting.slice(1))
  }
  return (
    <Modal
      opened={question !== undefined}
      onClose={() => close(null)}
      title="An invariant blocks this change"
      zIndex={ABOVE_OTHER_DIALOGS}
    >
      {question && <ReasonForm violations={question.violations} onClose={close} />}
    </Modal>
  )
}

interface ReasonFormProps extends Pick<Question, 'violations'> {
  readonly onClose: (reason: string | null) => void
}

function ReasonForm({ violations, onClose }: ReasonFormProps) {
  const [text, setText] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') onClose(text.trim())
      }}
    >
      <Stack gap="md">
        <Violations violations={violations.slice(0, LISTED_MAX)} />
        <TextInput
          label="Why are the invariants overridden?"
          description="Shown in the audit log and in Slack & Teams alerts."
          value={text}
          maxLength={OVERRIDE_REASON_MAX_LENGTH}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          data-autofocus
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => onClose(null)}>
            Cancel
          </Button>
          <Button type="submit" color="red" disabled={text.trim() === ''}>
            Override and save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
