import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { CommentField } from '../shared/comments/comment-field.tsx'
import { setCommentAsker } from '../shared/comments/comment-requests.ts'

/** Another dialog may be open: the one whose write was refused. */
const ABOVE_OTHER_DIALOGS = 900

interface Question {
  readonly reason: string
  readonly resolve: (comment: string | null) => void
}

/** Requests the comment of a write that has no dialog of its own, such as an undo, where one is required. */
export function CommentDialog() {
  const [questions, setQuestions] = useState<readonly Question[]>([])
  useEffect(
    () =>
      setCommentAsker(
        (reason) => new Promise((resolve) => setQuestions((waiting) => [...waiting, { reason, resolve }])),
      ),
    [],
  )
  const [question] = questions
  const close = (comment: string | null) => {
    question?.resolve(comment)
    setQuestions((waiting) => waiting.slice(1))
  }
  return (
    <Modal
      opened={question !== undefined}
      onClose={() => close(null)}
      title="This change needs a comment"
      zIndex={ABOVE_OTHER_DIALOGS}
    >
      {question && <CommentForm reason={question.reason} onClose={close} />}
    </Modal>
  )
}

interface CommentFormProps {
  readonly reason: string
  readonly onClose: (comment: string | null) => void
}

function CommentForm({ reason, onClose }: CommentFormProps) {
  const [text, setText] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') onClose(text.trim())
      }}
    >
      <Stack gap="md">
        <Text size="sm">{reason}</Text>
        <CommentField value={text} onChange={setText} isRequired hasFocus />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => onClose(null)}>
            Cancel
          </Button>
          <Button type="submit" disabled={text.trim() === ''}>
            Go on with this comment
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
