import { Page } from '../../shared/ui/page.tsx'

export function ProjectSettingsPage() {
  return <Page title="Project settings">{null}</Page>
}
