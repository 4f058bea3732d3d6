import { Page } from '../../shared/ui/page.tsx'

export function ExperimentsPage() {
  return <Page title="Experiments">{null}</Page>
}
