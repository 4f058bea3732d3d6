import { IconMapOff } from '@tabler/icons-react'
import { AccessRequest } from '../shared/ui/access-request.tsx'
import { EmptyState } from '../shared/ui/empty-state.tsx'
import { ButtonLink } from '../shared/ui/links.tsx'
import { Page } from '../shared/ui/page.tsx'

/** An address that leads nowhere. */
export function NotFoundPage({ what = 'page' }: { readonly what?: 'page' | 'project' | 'environment' }) {
  return (
    <Page title="Not found" width="reading">
      <EmptyState
        icon={<IconMapOff size={24} />}
        title={`There is no such ${what}`}
        action={<ButtonLink to="/">Go to the flags</ButtonLink>}
      >
        {what === 'page' ? (
          'The address may be mistyped, or the page was deleted.'
        ) : (
          <>
            It may have been deleted, or you may not be a member of{' '}
            {what === 'project' ? 'it' : 'its project'}.
            <AccessRequest wanted="access to a project" />
          </>
        )}
      </EmptyState>
    </Page>
  )
}
