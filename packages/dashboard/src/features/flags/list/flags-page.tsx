import { Page } from '../../../shared/ui/page.tsx'

export function FlagsPage() {
  return <Page title="Flags">{null}</Page>
}
