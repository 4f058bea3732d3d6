import { Page } from '../../shared/ui/page.tsx'

export function ImpressionsPage() {
  return <Page title="Impressions">{null}</Page>
}
