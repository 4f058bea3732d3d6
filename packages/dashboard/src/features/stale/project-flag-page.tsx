import type { CleanupPlan, ProjectFlag } from '@burgee/contract'
import { List, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { hasStatus } from '../../shared/api/api-error.ts'
import { endpointQuery } from '../../shared/api/queries.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Row, RowList } from '../../shared/ui/row-list.tsx'
import { Section } from '../../shared/ui/section.tsx'
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx'
import { describeDependant, describeVerdict } from './describe-verdict.ts'
import { EnvironmentCards } from './environment-cards.tsx'
import { FlagTimeline } from './flag-timeline.tsx'

/** One flag in all environments of the project, and the steps to remove it. */
export function ProjectFlagPage() {
  const { flag_key = '' } = useParams({ strict: false })
  const { project_id } = useScope()
  const params = { project_id, key: flag_key }
  const flag = useQuery(endpointQuery('getProjectFlag', { params }))
  const plan = useQuery(endpointQuery('getCleanupPlan', { params }))
  const error = flag.error ?? plan.error
  return (
    <Page title={flag_key} description="This flag in every environment">
      {error ? (
        <Failure
          error={error}
          title={hasStatus(error, 404) ? 'There is no such flag' : 'The flag could not be loaded'}
          onRetry={() => void Promise.all([flag.refetch(), plan.refetch()])}
        />
      ) : flag.data === undefined || plan.data === undefined ? (
        <SkeletonRows rows={4} height={120} />
      ) : (
        <Stack gap="xl">
          <EnvironmentCards flag={flag.data} />
          <Removal flag={flag.data} plan={plan.data} />
          {plan.data.references.length > 0 && <References references={plan.data.references} />}
          <FlagTimeline flag_key={flag_key} />
        </Stack>
      )}
    </Page>
  )
}

interface RemovalProps {
  readonly flag: ProjectFlag
  readonly plan: CleanupPlan
}

function Removal({ flag, plan }: RemovalProps) {
  if (flag.verdict === 'keep' && flag.evidence.length + flag.dependants.length === 0)
    return (
      <Section title="Removal" description={describeVerdict(flag)}>
        {null}
      </Section>
    )
  return (
    <Section title="Removal" description={describeVerdict(flag)} isBoxed>
      <Stack gap="md">
        {flag.evidence.length > 0 && (
          <List size="sm" aria-label="Evidence">
            {flag.evidence.map(({ code, environment_id, text }) => (
              <List.Item key={`${code} ${environment_id}`}>{text}</List.Item>
            ))}
          </List>
        )}
        {flag.dependants.length > 0 && (
          <List size="sm" aria-label="Needed by">
            {flag.dependants.map(({ key, kind }) => (
              <List.Item key={`${kind} ${key}`}>{describeDependant({ key, kind })}</List.Item>
            ))}
          </List>
        )}
        {flag.verdict !== 'keep' && (
          <List type="ordered" size="sm" aria-label="Steps">
            {plan.steps.map((step) => (
              <List.Item key={step}>{step}</List.Item>
            ))}
          </List>
        )}
      </Stack>
    </Section>
  )
}

function References({ references }: Pick<CleanupPlan, 'references'>) {
  return (
    <Section title="In code" description="The places that pipelines have sent">
      <RowList label="Places in code">
        {references.map(({ line, path, repo, text, url }) => (
          <Row
            key={`${repo} ${path} ${line} ${text}`}
            title={
              url === null ? (
                `${repo}: ${path}:${line}`
              ) : (
                <a href={url} rel="noreferrer">
                  {repo}: {path}:{line}
                </a>
              )
            }
            subtitle={
              <Text inherit ff="monospace" truncate>
                {text}
              </Text>
            }
          />
        ))}
      </RowList>
    </Section>
  )
}
