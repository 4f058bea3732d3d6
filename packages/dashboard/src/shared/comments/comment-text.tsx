import { Text } from '@mantine/core'
import classes from './comments.module.css'

/** The comment of a write, as it was written: plain text with its line breaks. Nothing without one. */
export function CommentText({ comment }: { readonly comment: unknown }) {
  if (typeof comment !== 'string' || comment === '') return null
  return (
    <Text span size="sm" className={classes.text}>
      {comment}
    </Text>
  )
}
