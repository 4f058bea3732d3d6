import { Page } from '../../shared/ui/page.tsx'

export function WebhooksPage() {
  return <Page title="Webhooks">{null}</Page>
}
