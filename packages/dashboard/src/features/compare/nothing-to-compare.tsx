import type { Environment } from '@burgee/contract'
import { IconArrowsDiff } from '@tabler/icons-react'
import { useScope } from '../../shared/scope/use-scope.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { ButtonLink } from '../../shared/ui/links.tsx'

/** States what is missing for a comparison. */
export function NothingToCompare({ environments }: { readonly environments: readonly Environment[] }) {
  const { project_id } = useScope()
  const icon = <IconArrowsDiff size={22} />
  const first = environments[0]
  if (environments.length < 2) {
    return (
      <EmptyState
        icon={icon}
        title="There is only one environment"
        action={
          <ButtonLink variant="light" to="/projects/$project_id/settings" params={{ project_id }}>
            Open project settings
          </ButtonLink>
        }
      >
        Add a second environment, such as Staging, and promote flags between them.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={icon}
      title="No flags yet"
      action={
        first && (
          <ButtonLink
            variant="light"
            to="/projects/$project_id/environments/$environment_id/flags"
            params={{ project_id, environment_id: first.id }}
          >
            Open the flags of {first.name}
          </ButtonLink>
        )
      }
    >
      Once there are flags, each is compared here with the other environments.
    </EmptyState>
  )
}
