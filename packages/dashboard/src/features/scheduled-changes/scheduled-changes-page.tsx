import { Page } from '../../shared/ui/page.tsx'

export function ScheduledChangesPage() {
  return <Page title="Scheduled changes">{null}</Page>
}
