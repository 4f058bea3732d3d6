import { Text } from '@mantine/core'
import { CommentField } from '../shared/comments/comment-field.tsx'
import { commentRequest } from '../shared/comments/comment-request.ts'
import { TextRequestDialog } from '../shared/text-requests/text-request-dialog.tsx'

/** Requests the comment of a write that has no dialog of its own, such as an undo, where one is required. */
export function CommentDialog() {
  return (
    <TextRequestDialog
      of={commentRequest}
      title="This change needs a comment"
      confirmLabel="Continue"
      prepare={(reason) => ({
        cause: <Text size="sm">{reason}</Text>,
        field: (props) => <CommentField {...props} isRequired hasFocus />,
      })}
    />
  )
}
