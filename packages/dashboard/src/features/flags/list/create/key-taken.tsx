import type { Flag } from '@burgee/contract'
import { useScope } from '../../../../shared/scope/use-scope.ts'
import { AnchorLink } from '../../../../shared/ui/links.tsx'

/** The key has a flag already: here is the way to it. */
export function KeyTaken({ flag }: { readonly flag: Flag }) {
  const { project_id, environment_id } = useScope()
  return (
    <>
      {flag.archived_at === null ? 'A flag has this key already.' : 'An archived flag has this key.'}{' '}
      <AnchorLink
        inherit
        underline="always"
        to="/projects/$project_id/environments/$environment_id/flags/$flag_key"
        params={{ project_id, environment_id, flag_key: flag.key }}
      >
        Open it
      </AnchorLink>
    </>
  )
}
