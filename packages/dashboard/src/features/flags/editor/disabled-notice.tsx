import { Text } from '@mantine/core'
import type { Draft } from './draft.ts'

/** On the first step behind the switch while it is off. */
export function OffNote({ draft }: { readonly draft: Draft }) {
  if (draft.is_enabled) return null
  return (
    <Text size="xs" c="dimmed" ta="right">
      From here on not reached: the flag is off
    </Text>
  )
}
