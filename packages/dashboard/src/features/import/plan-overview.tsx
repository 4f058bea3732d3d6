import { Badge, Group, Text, Title } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { isProduction } from '../../shared/scope/is-production.ts'
import { EnvironmentDot } from '../../shared/ui/environment-dot.tsx'
import { ClassBar, describeCounts } from './class-bar.tsx'
import { describeApproval } from './describe-approval.ts'
import { countClasses, type FlagRow } from './flag-rows.ts'
import classes from './import.module.css'
import { countPlan, type EnvironmentPlan } from './import-plan.ts'
import { describePlan } from './outcome-words.ts'

interface PlanOverviewProps {
  readonly plans: readonly EnvironmentPlan[]
  readonly rows: readonly FlagRow[]
}

/** A card for each environment: how well its flags are translated, and what the import changes. */
export function PlanOverview({ plans, rows }: PlanOverviewProps) {
  return (
    <section aria-label="Overview" className={classes.cards}>
      {plans.map((plan) => (
        <PlanCard key={plan.target.id} plan={plan} rows={rows} />
      ))}
    </section>
  )
}

function PlanCard({ plan, rows }: { readonly plan: EnvironmentPlan; readonly rows: readonly FlagRow[] }) {
  const { source, target } = plan
  const counts = countClasses(
    rows.flatMap(({ cells }) => cells).filter((cell) => cell.target.id === target.id),
  )
  const approval = describeApproval(target)
  return (
    <div
      className={classes.card}
      data-live={isProduction(target) || undefined}
      style={{ '--target-color': target.color } as React.CSSProperties}
    >
      <Group gap={8}>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {source}
        </Text>
        <IconArrowRight size={16} aria-label="into" />
        <EnvironmentDot color={target.color} />
        <Title order={2} size="h5">
          {target.name}
        </Title>
        {isProduction(target) && (
          <Badge color="red" variant="filled" tt="none">
            Live
          </Badge>
        )}
      </Group>
      <ClassBar counts={counts} label={`Flags for ${target.name}`} />
      <Text size="sm">{describeCounts(counts)}</Text>
      <Text size="sm" c="dimmed">
        Import: {describePlan(countPlan(plan))}
      </Text>
      {approval !== null && (
        <Text size="xs" c="dimmed">
          {approval}
        </Text>
      )}
    </div>
  )
}
