import { COMMENT_MAX_LENGTH } from '@burgee/contract'
import { Textarea } from '@mantine/core'

interface CommentFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly isRequired: boolean
  readonly hasFocus?: boolean
}

/** Takes the reason for a write. */
export function CommentField({ value, onChange, isRequired, hasFocus = false }: CommentFieldProps) {
  return (
    <Textarea
      label="Comment"
      description="Why? Shown in the history, the audit log and notifications."
      required={isRequired}
      maxLength={COMMENT_MAX_LENGTH}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autosize
      minRows={2}
      maxRows={6}
      {...(hasFocus && { 'data-autofocus': true })}
    />
  )
}
