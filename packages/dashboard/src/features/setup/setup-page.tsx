import { Page } from '../../shared/ui/page.tsx'

export function SetupPage() {
  return <Page title="Set up Burgee">{null}</Page>
}
