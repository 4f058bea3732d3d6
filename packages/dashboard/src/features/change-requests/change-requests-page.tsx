import { Page } from '../../shared/ui/page.tsx'

export function ChangeRequestsPage() {
  return <Page title="Change requests">{null}</Page>
}
