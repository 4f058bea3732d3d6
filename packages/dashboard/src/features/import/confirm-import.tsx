import { Alert, List, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { confirm } from '../../shared/forms/confirm.tsx'
import { isProduction } from '../../shared/scope/is-production.ts'
import { countPlan, type EnvironmentPlan } from './import-plan.ts'
import { describePlan } from './outcome-words.ts'

/** Asks before the import is written. The name of Production has to be typed. */
export function confirmImport(
  plans: readonly EnvironmentPlan[],
  onConfirm: (comment: string | undefined) => void,
): void {
  const targets = plans.map(({ target }) => target)
  const live = targets.find(isProduction)
  confirm({
    title: `Import into ${targets.map(({ name }) => name).join(', ')}?`,
    children: <ImportEffects plans={plans} live={live?.name} />,
    confirmLabel: 'Import',
    tone: live ? 'danger' : 'calm',
    commentIn: targets.find(({ require_comment }) => require_comment) ?? targets[0],
    ...(live && { typed: live.name }),
    onConfirm: async (comment) => onConfirm(comment),
  })
}

interface ImportEffectsProps {
  readonly plans: readonly EnvironmentPlan[]
  /** The name of the environment that is live; undefined where none is. */
  readonly live: string | undefined
}

function ImportEffects({ live, plans }: ImportEffectsProps) {
  const isWaiting = plans.some((plan) => countPlan(plan).waiting > 0)
  return (
    <Stack gap="sm">
      {live !== undefined && (
        <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} title={`${live} is live`}>
          <Text size="sm">Every connected SDK follows at once.</Text>
        </Alert>
      )}
      <List size="sm" spacing={4}>
        {plans.map((plan) => (
          <List.Item key={plan.target.id}>
            <b>{plan.target.name}</b>: {describePlan(countPlan(plan))}
          </List.Item>
        ))}
      </List>
      {plans
        .filter(({ override }) => override !== null)
        .map(({ override, target }) => (
          <Text key={target.id} size="sm">
            Overrides invariants in {target.name}: {override?.reason}
          </Text>
        ))}
      {isWaiting && (
        <Text size="sm">
          Changes for approval become change requests. They change nothing until someone else approves them.
        </Text>
      )}
    </Stack>
  )
}
