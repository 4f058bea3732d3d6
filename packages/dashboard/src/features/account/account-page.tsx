import { Page } from '../../shared/ui/page.tsx'

export function AccountPage() {
  return <Page title="My tokens and password">{null}</Page>
}
