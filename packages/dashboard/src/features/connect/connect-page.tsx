import { Page } from '../../shared/ui/page.tsx'

export function ConnectPage() {
  return <Page title="Connect your app">{null}</Page>
}
