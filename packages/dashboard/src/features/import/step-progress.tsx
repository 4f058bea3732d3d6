import { Progress, Stack, Text } from '@mantine/core'
import type { Progress as Work } from './preview-import.ts'

/** A step while it is under way. */
export function StepProgress({ progress }: { readonly progress: Work }) {
  return (
    <Stack gap={6} role="status">
      <Text size="sm">{progress.label}…</Text>
      <Progress
        value={progress.share === 0 ? 100 : progress.share * 100}
        animated={progress.share === 0}
        aria-label={progress.label}
      />
    </Stack>
  )
}
