import { type ChangeRequest, REQUEST_COMMENTS_MAX } from '@burgee/contract'
import { Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'
import { CommentText } from '../../shared/comments/comment-text.tsx'
import { Failure } from '../../shared/ui/failure.tsx'
import { Time } from '../../shared/ui/time.tsx'
import classes from './change-requests.module.css'
import { DiscussionForm } from './discussion-form.tsx'

const POLL_MS = 15_000

/** The discussion of a request, oldest first, and the input for more. It goes on after the decision. */
export function Discussion({ request }: { readonly request: ChangeRequest }) {
  const { environment_id: env_id, id } = request
  const { data, error, refetch } = useQuery({
    ...endpointQuery('getChangeRequest', { params: { env_id, id } }),
    refetchInterval: POLL_MS,
  })
  const comments = data?.comments ?? []
  return (
    <Stack gap="sm" component="section" aria-label="Discussion">
      <Title order={3} size="h6">
        Discussion{comments.length > 0 && ` (${comments.length})`}
      </Title>
      {error !== null && !data && (
        <Failure error={error} title="The discussion could not be loaded" onRetry={() => void refetch()} />
      )}
      {comments.length > 0 && (
        <ol className={classes.comments}>
          {comments.map(({ author, created_at, text }, index) => (
            // Comments are only added at the end.
            // biome-ignore lint/suspicious/noArrayIndexKey: a comment has no id, and never moves
            <li key={index}>
              <Text size="sm" component="div" mb={2}>
                <b>{author}</b> <Time at={created_at} span />
              </Text>
              <CommentText comment={text} />
            </li>
          ))}
        </ol>
      )}
      {data &&
        (comments.length < REQUEST_COMMENTS_MAX ? (
          <DiscussionForm request={request} />
        ) : (
          <Text size="sm" c="dimmed">
            A request has at most {REQUEST_COMMENTS_MAX} comments.
          </Text>
        ))}
    </Stack>
  )
}
