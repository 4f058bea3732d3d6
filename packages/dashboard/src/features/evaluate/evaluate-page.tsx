import { Page } from '../../shared/ui/page.tsx'

export function EvaluatePage() {
  return <Page title="Evaluate">{null}</Page>
}
