import { Page } from '../../shared/ui/page.tsx'

export function ComparePage() {
  return <Page title="Compare environments">{null}</Page>
}
