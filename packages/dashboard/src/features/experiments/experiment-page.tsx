import { Page } from '../../shared/ui/page.tsx'

export function ExperimentPage() {
  return <Page title="Experiment">{null}</Page>
}
