import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import type { Progress as Work } from './use-progress.ts'

interface StepProgressProps {
  readonly progress: Work
  readonly onCancel: () => void
}

/** A step while it is under way. */
export function StepProgress({ onCancel, progress }: StepProgressProps) {
  const { canCancel = false, label, share } = progress
  return (
    <Group gap="sm" align="end" wrap="nowrap">
      <Stack gap={6} role="status" flex={1}>
        <Text size="sm">{label}…</Text>
        <Progress.Root>
          {share === 0 ? (
            <Progress.Section value={100} animated withAria={false} />
          ) : (
            <Progress.Section value={share * 100} aria-label={label} />
          )}
        </Progress.Root>
      </Stack>
      {canCancel && (
        <Button variant="default" size="xs" onClick={onCancel}>
          Cancel
        </Button>
      )}
    </Group>
  )
}
