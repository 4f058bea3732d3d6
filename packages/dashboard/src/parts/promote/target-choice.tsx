import type { Environment } from '@burgee/contract'
import { Group, Radio, Text } from '@mantine/core'
import { isProduction } from '../../shared/scope/is-production.ts'
import { EnvironmentDot } from '../../shared/ui/environment-dot.tsx'
import classes from './promote.module.css'

interface TargetChoiceProps {
  readonly targets: readonly Environment[]
  /** Empty: none is chosen yet. */
  readonly value: string
  readonly onChange: (environment_id: string) => void
}

/** The environments that a flag can be promoted to, each with its color. */
export function TargetChoice({ targets, value, onChange }: TargetChoiceProps) {
  return (
    <Radio.Group label="Promote to" value={value} onChange={onChange}>
      <Group gap="xs" mt={6}>
        {targets.map((environment) => (
          <Radio.Card
            key={environment.id}
            value={environment.id}
            className={classes.target}
            aria-label={environment.name}
          >
            <Group gap={8} wrap="nowrap">
              <Radio.Indicator size="xs" />
              <EnvironmentDot color={environment.color} />
              <Text size="sm" fw={500} truncate>
                {environment.name}
              </Text>
              {isProduction(environment) && (
                <Text size="xs" c="dimmed">
                  live
                </Text>
              )}
            </Group>
          </Radio.Card>
        ))}
      </Group>
    </Radio.Group>
  )
}
