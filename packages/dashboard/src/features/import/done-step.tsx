import type { ImportResult } from '@burgee/contract'
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconCircleCheck, IconDownload } from '@tabler/icons-react'
import { useScope } from '../../shared/scope/use-scope.ts'
import { countOf } from '../../shared/ui/count-of.ts'
import { Snippet } from '../../shared/ui/empty-state.tsx'
import { EnvironmentDot } from '../../shared/ui/environment-dot.tsx'
import { AnchorLink } from '../../shared/ui/links.tsx'
import { Section } from '../../shared/ui/section.tsx'
import type { AppliedPlan } from './apply-import.ts'
import classes from './import.module.css'
import { countPlan } from './import-plan.ts'
import { describePlan } from './outcome-words.ts'
import { saveReport } from './save-report.ts'
import type { ImportState } from './use-import.ts'

interface DoneStepProps {
  readonly state: ImportState
  readonly result: ImportResult
  readonly applied: readonly AppliedPlan[]
}

/** The last step: what was written, and where to go from here. */
export function DoneStep({ applied, result, state }: DoneStepProps) {
  return (
    <Stack gap="lg">
      <Group gap={10}>
        <IconCircleCheck size={26} color="var(--mantine-color-teal-6)" aria-hidden="true" />
        <Title order={2} size="h4">
          {isOnlyWaiting(applied) ? 'The changes wait for approval' : 'The flags are imported'}
        </Title>
      </Group>
      <div className={classes.cards}>
        {applied.map((one) => (
          <AppliedCard key={one.plan.target.id} applied={one} />
        ))}
      </div>
      <Aliases aliases={result.aliases} />
      <Group gap="xs">
        <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => saveReport(result)}>
          Download the report
        </Button>
        <Button variant="default" onClick={state.restart}>
          Import more files
        </Button>
      </Group>
    </Stack>
  )
}

/** True where nothing is written yet: someone else has to approve all of it. */
const isOnlyWaiting = (applied: readonly AppliedPlan[]): boolean =>
  applied.every(({ changes }) => changes.every(({ needs_approval }) => needs_approval === true))

function AppliedCard({ applied: { change_requests, changes, plan } }: { readonly applied: AppliedPlan }) {
  const { project_id } = useScope()
  const { target } = plan
  const params = { project_id, environment_id: target.id }
  return (
    <div className={classes.card} style={{ '--target-color': target.color } as React.CSSProperties}>
      <Group gap={8}>
        <EnvironmentDot color={target.color} />
        <Text fw={600}>{target.name}</Text>
      </Group>
      <Text size="sm">{describePlan(countPlan({ ...plan, changes }))}</Text>
      <Group gap="md">
        <AnchorLink size="sm" to="/projects/$project_id/environments/$environment_id/flags" params={params}>
          Open the flags
        </AnchorLink>
        {change_requests.length > 0 && (
          <AnchorLink
            size="sm"
            to="/projects/$project_id/environments/$environment_id/change-requests"
            params={params}
          >
            See {countOf(change_requests.length, 'change request')}
          </AnchorLink>
        )}
        <AnchorLink size="sm" to="/projects/$project_id/environments/$environment_id/connect" params={params}>
          Connect your app
        </AnchorLink>
        <AnchorLink size="sm" to="/projects/$project_id/environments/$environment_id/audit" params={params}>
          Audit log
        </AnchorLink>
      </Group>
    </div>
  )
}

/** The keys that changed, for the SDK; nothing where none has. */
function Aliases({ aliases }: Pick<ImportResult, 'aliases'>) {
  if (Object.keys(aliases).length === 0) return null
  return (
    <Section
      title="Some keys changed"
      description="Their characters are not those of keys here. Pass this to the SDK as the option aliases, so that your code keeps the old keys."
    >
      <Snippet code={JSON.stringify(aliases, null, 2)} name="Aliases of keys" />
    </Section>
  )
}
