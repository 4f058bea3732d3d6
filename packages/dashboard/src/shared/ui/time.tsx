import { Text, type TextProps, Tooltip } from '@mantine/core'
import { formatInstant, formatRelative } from './format-time.ts'

/** An instant, by how long ago it is; the exact local time when pointed at. */
export function Time({ at, ...text }: { readonly at: string } & TextProps) {
  return (
    <Tooltip label={formatInstant(at)}>
      <Text component="time" dateTime={at} size="sm" c="dimmed" {...text}>
        {formatRelative(at, Date.now())}
      </Text>
    </Tooltip>
  )
}
