import { Skeleton } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { lazy, Suspense, useMemo } from 'react'
import { printBoth } from './print-json.ts'

const MergedText = lazy(async () => ({ default: (await import('./merged-text.tsx')).MergedText }))

const SIDE_BY_SIDE_FROM_PX = 720
const SKELETON_HEIGHT_PX = 160

interface JsonDiffProps {
  readonly before: unknown
  readonly after: unknown
}

/** Two JSON values with the differences marked: side by side where there is room, else one text. */
export function JsonDiff({ before, after }: JsonDiffProps) {
  const { ref, width } = useElementSize()
  const texts = useMemo(() => printBoth(before, after), [before, after])
  return (
    <div ref={ref}>
      <Suspense fallback={<Skeleton height={SKELETON_HEIGHT_PX} radius="sm" />}>
        {width > 0 && <MergedText {...texts} isSideBySide={width >= SIDE_BY_SIDE_FROM_PX} />}
      </Suspense>
    </div>
  )
}
