import { Page } from '../../shared/ui/page.tsx'

export function SegmentPage() {
  return <Page title="Segment">{null}</Page>
}
