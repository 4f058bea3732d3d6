import { Page } from '../../shared/ui/page.tsx'

export function IntegrationsPage() {
  return <Page title="Chat alerts">{null}</Page>
}
