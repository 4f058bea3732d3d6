import { Skeleton, Stack } from '@mantine/core'
import { SkeletonRows } from '../shared/ui/skeleton-rows.tsx'

/** A page whose code is on its way. */
export function PageSkeleton() {
  return (
    <Stack gap="lg">
      <Skeleton height={28} width={220} />
      <SkeletonRows />
    </Stack>
  )
}
