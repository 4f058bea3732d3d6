import { Page } from '../../shared/ui/page.tsx'

export function ExposurePage() {
  return <Page title="Exposure">{null}</Page>
}
