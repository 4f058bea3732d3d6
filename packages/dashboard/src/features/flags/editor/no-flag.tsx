import { IconFlagOff } from '@tabler/icons-react'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { ButtonLink } from '../../../shared/ui/links.tsx'
import { Page } from '../../../shared/ui/page.tsx'

/** The address names a flag that is not there, or no longer. */
export function NoFlag({ flag_key }: { readonly flag_key: string }) {
  const { environment, environment_id, project_id } = useScope()
  return (
    <Page title={flag_key}>
      <EmptyState
        icon={<IconFlagOff size={24} />}
        title={`There is no flag “${flag_key}” in ${environment?.name ?? 'this environment'}`}
        action={
          <ButtonLink
            to="/projects/$project_id/environments/$environment_id/flags"
            params={{ project_id, environment_id }}
          >
            Go to the flags
          </ButtonLink>
        }
      >
        It may have been deleted, or exist in another environment only: promote it from there.
      </EmptyState>
    </Page>
  )
}
