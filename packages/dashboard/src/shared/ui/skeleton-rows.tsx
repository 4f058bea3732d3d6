import { Skeleton, Stack } from '@mantine/core'

/**
 * The placeholder of a list: `rows` lines of the height of its own, so that nothing moves when it arrives.
 */
export function SkeletonRows({
  rows = 8,
  height = 40,
}: {
  readonly rows?: number
  readonly height?: number
}) {
  return (
    <Stack gap={6} role="status" aria-busy="true" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton key={index} height={height} radius="sm" />
      ))}
    </Stack>
  )
}
