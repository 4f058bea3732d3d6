import { Button, Code, Group, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconChevronRight, IconRefresh } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { countOf } from '../../shared/ui/count-of.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx'
import { Time } from '../../shared/ui/time.tsx'
import classes from './delivery-log.module.css'
import { type Attempt, deliveryOutcome } from './delivery-outcome.ts'
import { OutcomeBadge } from './outcome-badge.tsx'

/** The part of an attempt that the log shows, for webhooks and chats alike. */
export interface LoggedAttempt extends Attempt {
  readonly id: number
  readonly event: string
  readonly attempt: number
  readonly response_body: string | null
  readonly delivered_at: string
  /** Null in rows of earlier versions, as is `message_id`. */
  readonly duration_ms: number | null
  /** The header `webhook-id` of webhooks. */
  readonly message_id: string | null
}

interface DeliveryLogProps<A extends LoggedAttempt> {
  readonly attempts: readonly A[] | undefined
  readonly error: unknown
  /** The largest number of attempts that are kept or shown. */
  readonly limit: number
  readonly isFetching: boolean
  readonly onRefresh: () => void
  readonly empty: ReactNode
  /** The actions on an opened attempt. */
  readonly actions?: (attempt: A) => ReactNode
}

/** Delivery attempts, newest first; each opens to its response. */
export function DeliveryLog<A extends LoggedAttempt>(props: DeliveryLogProps<A>) {
  const { actions, attempts, empty, error, isFetching, limit, onRefresh } = props
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" c="dimmed" role="status">
          {attempts && attempts.length > 0 && describeCount(attempts, limit)}
        </Text>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} />}
          onClick={onRefresh}
          aria-busy={isFetching}
        >
          Refresh
        </Button>
      </Group>
      {error !== null && <Failure error={error} title="The deliveries could not be loaded" />}
      {!attempts && error === null && <SkeletonRows rows={6} height={44} />}
      {attempts?.length === 0 && empty}
      {attempts && attempts.length > 0 && (
        <ul className={classes.list} aria-label="Deliveries">
          {attempts.map((attempt) => (
            <DeliveryItem key={attempt.id} attempt={attempt} actions={actions?.(attempt)} />
          ))}
        </ul>
      )}
    </Stack>
  )
}

function DeliveryItem({
  attempt,
  actions,
}: {
  readonly attempt: LoggedAttempt
  readonly actions: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const { delivered_at, duration_ms, event } = attempt
  return (
    <li className={classes.item}>
      <UnstyledButton
        className={classes.summary}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <IconChevronRight size={14} className={classes.chevron} aria-hidden="true" />
        <OutcomeBadge attempt={attempt} />
        <span className={classes.what}>
          {event}
          {attempt.attempt > 1 && (
            <Text span size="xs" c="dimmed">
              attempt {attempt.attempt}
            </Text>
          )}
        </span>
        <Text span size="xs" c="dimmed" className={classes.duration}>
          {duration_ms !== null && `${duration_ms} ms`}
        </Text>
        <Time at={delivered_at} size="xs" className={classes.time} />
      </UnstyledButton>
      {isOpen && (
        <div id={id} className={classes.details}>
          <AttemptDetails attempt={attempt} />
          {actions}
        </div>
      )}
    </li>
  )
}

function AttemptDetails({ attempt }: { readonly attempt: LoggedAttempt }) {
  const { message_id, response_body } = attempt
  return (
    <>
      <Text size="sm" className={classes.words}>
        {deliveryOutcome(attempt).words}
        {attempt.error !== null && attempt.status_code !== null && ` ${attempt.error}`}
      </Text>
      {message_id !== null && (
        <Text size="xs" c="dimmed">
          webhook-id <Code>{message_id}</Code>
        </Text>
      )}
      {response_body !== null && response_body !== '' && (
        <div>
          <Text size="xs" c="dimmed" mb={4}>
            What it responded
          </Text>
          <Code block tabIndex={0} role="group" aria-label="Response body" className={classes.body}>
            {response_body}
          </Code>
        </div>
      )}
      {attempt.status_code !== null && !response_body && (
        <Text size="xs" c="dimmed">
          {response_body === ''
            ? 'The response had no body.'
            : 'Responses of private addresses are not kept.'}
        </Text>
      )}
    </>
  )
}

function describeCount(attempts: readonly Attempt[], limit: number): ReactNode {
  const failed = attempts.filter((attempt) => deliveryOutcome(attempt).kind !== 'delivered').length
  const shown = countOf(attempts.length, 'attempt')
  return (
    <>
      {attempts.length >= limit ? `The latest ${limit} attempts` : shown}
      {failed > 0 && `, ${failed} failed`}
      <VisuallyHidden>, newest first</VisuallyHidden>
    </>
  )
}
