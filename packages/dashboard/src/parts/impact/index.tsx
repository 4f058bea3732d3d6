import { Skeleton } from '@mantine/core'
import { type ComponentProps, lazy, Suspense } from 'react'

export { changeTo, patchOfFlag, promotionOf } from './change-to.ts'
export { describeImpact } from './describe-impact.ts'
export { OverrideField, OverrideReason } from './override-field.tsx'
export { useOverride } from './use-override.tsx'

const LoadedPanel = lazy(async () => ({ default: (await import('./impact-panel.tsx')).ImpactPanel }))

/** The users whom a change affects (impact-panel.tsx), loaded with the first dialog that shows them. */
export function ImpactPanel(props: ComponentProps<typeof LoadedPanel>) {
  return (
    <Suspense fallback={<Skeleton height={38} />}>
      <LoadedPanel {...props} />
    </Suspense>
  )
}

const LoadedUsers = lazy(async () => ({ default: (await import('./impact-panel.tsx')).CountedUsers }))

/** The users of an impact that came with another response. */
export function CountedUsers(props: ComponentProps<typeof LoadedUsers>) {
  return (
    <Suspense fallback={<Skeleton height={38} />}>
      <LoadedUsers {...props} />
    </Suspense>
  )
}
