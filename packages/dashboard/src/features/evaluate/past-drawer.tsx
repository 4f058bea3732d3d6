import type { Trace } from '@burgee/evaluation/explain'
import { Code, Drawer, Stack, Text, Title } from '@mantine/core'
import { useScope } from '../../shared/scope/use-scope.ts'
import { Snippet } from '../../shared/ui/empty-state.tsx'
import { Failure } from '../../shared/ui/failure.tsx'
import { formatInstant } from '../../shared/ui/format-time.ts'
import { AnchorLink } from '../../shared/ui/links.tsx'
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx'
import { describeReason } from './describe-reason.ts'
import classes from './evaluate.module.css'
import { EvaluationSteps } from './evaluation-steps.tsx'
import { explainSteps } from './explain-evaluation.ts'
import { formatValue } from './format-value.ts'
import { nameSubject } from './name-subject.ts'
import { writeRequestSnippet } from './request-snippet.ts'
import type { Subject } from './subject.ts'
import { type PastItem, usePastResults } from './use-past-results.ts'

interface PastDrawerProps {
  /** Empty: no flag is looked at. */
  readonly flag_key: string
  readonly at: string
  readonly subject: Subject
  readonly onClose: () => void
}

/** The evaluation of one flag at a past moment, with the changes around it and what SDKs reported. */
export function PastDrawer({ flag_key, at, subject, onClose }: PastDrawerProps) {
  return (
    <Drawer
      opened={flag_key !== ''}
      onClose={onClose}
      position="right"
      size="lg"
      title={<b className={classes.any}>{flag_key}</b>}
    >
      {flag_key !== '' && <PastFlag flag_key={flag_key} at={at} subject={subject} />}
    </Drawer>
  )
}

function PastFlag({ flag_key, at, subject }: Omit<PastDrawerProps, 'onClose'>) {
  const { environment_id } = useScope()
  const { data, error, refetch } = usePastResults(environment_id, subject, at, flag_key)
  if (error)
    return <Failure title="That moment could not be read" error={error} onRetry={() => void refetch()} />
  const item = data?.flags.find((each) => each.flag_key === flag_key)
  if (!item) return <SkeletonRows rows={5} height={40} />
  const trace = item.trace as Trace | undefined
  const explanation = explainSteps({ evaluation: item, trace, subject, flag: null })
  return (
    <Stack gap="lg">
      <div>
        <Text size="sm" mb={6} className={classes.any}>
          On {formatInstant(at)}, <b className={classes.any}>{nameSubject(subject.user_key)}</b> got
        </Text>
        <Code block className={classes.any}>
          {item.value === null ? 'no value: the default in the code' : JSON.stringify(item.value, null, 2)}
        </Code>
        <Text size="sm" mt="xs" className={classes.any}>
          {trace ? explanation.summary : describeReason(item)}
        </Text>
        <Text size="xs" c="dimmed" mt={4}>
          {item.enabled ? 'Enabled' : 'Not enabled'} · reason <Code>{item.reason}</Code>
        </Text>
      </div>
      <Changes item={item} />
      <Recorded item={item} />
      {explanation.steps.length > 0 && (
        <section aria-labelledby="past-steps">
          <Title order={3} size="sm" id="past-steps" mb="sm">
            Step by step
          </Title>
          <EvaluationSteps explanation={explanation} />
        </section>
      )}
      <section aria-labelledby="past-request">
        <Title order={3} size="sm" id="past-request" mb="xs">
          As a request
        </Title>
        <Snippet code={writeRequestSnippet(subject, environment_id, { key: flag_key }, at)} />
      </section>
    </Stack>
  )
}

/** The change before the moment and the one after it. */
function Changes({ item: { changed, next_change } }: { readonly item: PastItem }) {
  return (
    <section aria-labelledby="past-changes">
      <Title order={3} size="sm" id="past-changes" mb="xs">
        Changes around it
      </Title>
      <PastChange label="Before" change={changed} none="No change is known before it." />
      <PastChange label="After" change={next_change} none="The flag has not changed since." />
    </section>
  )
}

interface PastChangeProps {
  readonly label: string
  readonly change: PastItem['changed']
  readonly none: string
}

function PastChange({ label, change, none }: PastChangeProps) {
  const { environment_id, project_id } = useScope()
  if (!change) {
    return (
      <Text size="sm" c="dimmed">
        {none}
      </Text>
    )
  }
  const { action, actor_email, at, audit_id, revision } = change
  return (
    <Text size="sm" className={classes.any}>
      {label}: {actor_email === null ? 'a change' : `${actor_email}, ${action?.replaceAll('_', ' ')}`},{' '}
      {formatInstant(at)}, revision {revision}{' '}
      {audit_id !== null && (
        <AnchorLink
          size="sm"
          underline="always"
          to="/projects/$project_id/environments/$environment_id/audit"
          params={{ project_id, environment_id }}
          search={{ entry: String(audit_id) }}
          aria-label={`Open the audit entry ${audit_id}`}
        >
          Open entry
        </AnchorLink>
      )}
    </Text>
  )
}

/** Lists what SDKs reported for the user within a day. */
function Recorded({ item: { recorded = [] } }: { readonly item: PastItem }) {
  if (recorded.length === 0) return null
  return (
    <section aria-labelledby="past-recorded">
      <Title order={3} size="sm" id="past-recorded" mb="xs">
        Reported by SDKs within a day
      </Title>
      {recorded.map(({ context, evaluated_at, value }) => (
        <Text size="sm" key={evaluated_at} className={classes.any}>
          <Code>{value}</Code> on {formatInstant(evaluated_at)}
          {context !== null && `, with ${formatValue(context)}`}
        </Text>
      ))}
    </section>
  )
}
