import { Title } from '@mantine/core'
import { useScope } from '../../shared/scope/use-scope.ts'
import { AnchorLink } from '../../shared/ui/links.tsx'

/** The flag that a change is about, as a link to it. */
export function FlagHeading({ flag_key }: { readonly flag_key: string }) {
  const { project_id, environment_id } = useScope()
  return (
    <Title order={3} size="h6">
      <AnchorLink
        inherit
        to="/projects/$project_id/environments/$environment_id/flags/$flag_key"
        params={{ project_id, environment_id, flag_key }}
      >
        {flag_key}
      </AnchorLink>
    </Title>
  )
}
