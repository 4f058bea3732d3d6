import { Text, type TextProps, Tooltip } from '@mantine/core'
import { showInstant, showRelative } from './show-time.ts'

/** An instant, by how long ago it is; the exact local time when pointed at. */
export function Time({ at, ...text }: { readonly at: string } & TextProps) {
  return (
    <Tooltip label={showInstant(at)}>
      <Text component="time" dateTime={at} size="sm" c="dimmed" {...text}>
        {showRelative(at, Date.now())}
      </Text>
    </Tooltip>
  )
}
