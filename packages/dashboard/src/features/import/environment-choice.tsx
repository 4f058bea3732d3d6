import { Badge, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { isProduction } from '../../shared/scope/is-production.ts'
import { usePermissionsIn } from '../../shared/scope/use-permissions.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { ClassBar, type ClassCounts, describeCounts } from './class-bar.tsx'
import { describeApproval } from './describe-approval.ts'
import classes from './import.module.css'

interface EnvironmentChoiceProps {
  /** The environment of the files. */
  readonly source: string
  readonly counts: ClassCounts
  /** The id of the target; empty where it is not imported. */
  readonly value: string
  /** True while they are compared. */
  readonly isDisabled: boolean
  readonly onChange: (environment_id: string) => void
}

/** One environment of the files, and where it goes. */
export function EnvironmentChoice({ counts, isDisabled, onChange, source, value }: EnvironmentChoiceProps) {
  const { environments } = useScope()
  const mayIn = usePermissionsIn()
  const target = environments.find(({ id }) => id === value)
  const isLive = isProduction(target)
  const options = environments.map(({ id, name, ...rest }) => {
    const { isAllowed } = mayIn('applyEnvironment', id)
    const label = `${name}${isProduction(rest) ? ' (live)' : ''}${isAllowed ? '' : ': your role may not write flags there'}`
    return { value: id, label, disabled: !isAllowed }
  })
  return (
    <div
      className={classes.choice}
      data-live={isLive || undefined}
      style={{ '--target-color': target?.color ?? 'var(--burgee-line)' } as React.CSSProperties}
    >
      <Stack gap={6} miw={0} flex="1 1 260px">
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {source}
        </Text>
        <ClassBar counts={counts} label={`Flags of ${source}`} />
        <Text size="xs" c="dimmed">
          {describeCounts(counts)}
        </Text>
      </Stack>
      <IconArrowRight className={classes.arrow} size={20} stroke={1.6} aria-hidden="true" />
      <Stack gap={6} flex="1 1 260px">
        <NativeSelect
          label={`Import ${source} into`}
          value={value}
          disabled={isDisabled}
          onChange={(event) => onChange(event.currentTarget.value)}
          data={[{ value: '', label: 'Do not import' }, ...options]}
        />
        {isLive && (
          <Group gap={8} wrap="nowrap">
            <Badge color="red" variant="filled" tt="none" flex="none">
              Live
            </Badge>
            <Text size="xs">Every connected SDK of {target?.name} follows at once.</Text>
          </Group>
        )}
        {target && describeApproval(target) !== null && (
          <Text size="xs" c="dimmed">
            {describeApproval(target)}
          </Text>
        )}
      </Stack>
    </div>
  )
}
