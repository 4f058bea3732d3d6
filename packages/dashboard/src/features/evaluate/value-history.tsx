import type { EvaluateHistoryResult } from '@burgee/contract'
import { Button, Group, Paper, SegmentedControl, Text, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../shared/api/call.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { formatInstant } from '../../shared/ui/format-time.ts'
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx'
import { describeReason } from './describe-reason.ts'
import classes from './evaluate.module.css'
import { formatValue } from './format-value.ts'
import { nameSubject } from './name-subject.ts'
import { type Subject, toRequest } from './subject.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const NONE = 'none'
const WINDOWS: readonly { readonly value: string; readonly label: string; readonly hours: number }[] = [
  { value: '1h', label: '1 hour', hours: 1 },
  { value: '24h', label: '24 hours', hours: 24 },
  { value: '7d', label: '7 days', hours: 7 * 24 },
  { value: '30d', label: '30 days', hours: 30 * 24 },
]
const TYPING_PAUSE_MS = 250

interface ValueHistoryProps {
  readonly subject: Subject
  /** Shows all flags as of a moment. */
  readonly onShowAt: (at: string) => void
}

/** The changes of values for the user within a window, which is chosen first: it replays every change. */
export function ValueHistory({ subject, onShowAt }: ValueHistoryProps) {
  const [{ window }, set] = useUrlState({ window: NONE })
  const chosen = WINDOWS.find(({ value }) => value === window)
  return (
    <section aria-labelledby="value-history" className={classes.history}>
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} size="h5" id="value-history">
          What changed for {nameSubject(subject.user_key)}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label="Window of the changes"
          value={chosen?.value ?? NONE}
          onChange={(value) => set({ window: value })}
          data={[{ value: NONE, label: 'Hide' }, ...WINDOWS.map(({ label, value }) => ({ label, value }))]}
        />
      </Group>
      {chosen && <Replay key={chosen.value} hours={chosen.hours} subject={subject} onShowAt={onShowAt} />}
    </section>
  )
}

/** Returns when a window begins: in whole minutes, so that drawing again reads nothing again. */
function startOf(hours: number, historySince: string | null, now: number): string {
  const start = Math.floor(now / MINUTE_MS) * MINUTE_MS - hours * HOUR_MS
  const known = historySince === null ? start : Date.parse(historySince)
  return new Date(Math.max(start, known)).toISOString()
}

function Replay({ hours, onShowAt, subject: given }: ValueHistoryProps & { readonly hours: number }) {
  const { environment, environment_id } = useScope()
  const [subject] = useDebouncedValue(given, TYPING_PAUSE_MS)
  const from = startOf(hours, environment?.history_since ?? null, Date.now())
  const { data, error, refetch } = useQuery({
    queryKey: ['evaluateHistory', environment_id, subject, from],
    queryFn: ({ signal }) => {
      const body = { ...toRequest(subject), from }
      return call('evaluateHistory', { params: { env_id: environment_id }, body }, { signal })
    },
    retry: false,
  })
  if (error) {
    return <Failure title="The changes could not be replayed" error={error} onRetry={() => void refetch()} />
  }
  if (!data) return <SkeletonRows rows={3} height={48} />
  if (data.flags.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No value of this user changed in this window.
      </Text>
    )
  }
  return (
    <ul className={classes.histories} aria-label="Changed values">
      {data.flags.map((flag) => (
        <Paper component="li" withBorder p="sm" key={flag.flag_key}>
          <Text size="sm" fw={600} className={classes.any} mb={4}>
            {flag.flag_key}
          </Text>
          <ol className={classes.values}>
            {flag.values.map((value, index) => (
              <PastValue key={value.revision} value={value} isFirst={index === 0} onShowAt={onShowAt} />
            ))}
          </ol>
        </Paper>
      ))}
    </ul>
  )
}

type Value = EvaluateHistoryResult['flags'][number]['values'][number]

const CAUSES: Readonly<Record<NonNullable<Value['cause']>, string>> = {
  own: 'the flag was changed',
  segment: 'a segment was changed',
  prerequisite: 'a prerequisite was changed',
}

interface PastValueProps extends Pick<ValueHistoryProps, 'onShowAt'> {
  readonly value: Value
  /** True for the value at the beginning of the window. */
  readonly isFirst: boolean
}

function PastValue({
  isFirst,
  onShowAt,
  value: { actor_email, cause, from, reason, value, enabled },
}: PastValueProps) {
  const by = actor_email === null ? '' : ` by ${actor_email}`
  return (
    <li className={classes.pastValue} data-on={enabled || undefined}>
      <Text size="sm" component="span" ff="monospace" className={classes.any}>
        {formatValue(value)}
      </Text>
      <Text size="xs" c="dimmed" component="span" className={classes.any}>
        {isFirst ? 'before' : `since ${formatInstant(from)}: ${cause ? CAUSES[cause] : 'a change'}${by}`}
        {' · '}
        {describeReason({ reason })}
      </Text>
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        aria-label={`Evaluate as of ${formatInstant(from)}`}
        onClick={() => onShowAt(from)}
      >
        As of then
      </Button>
    </li>
  )
}
