import { Page } from '../../shared/ui/page.tsx'

export function WorkspacePage() {
  return <Page title="Workspace">{null}</Page>
}
