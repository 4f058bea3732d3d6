import { Page } from '../../shared/ui/page.tsx'

export function SegmentsPage() {
  return <Page title="Segments">{null}</Page>
}
