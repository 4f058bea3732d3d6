import type { Flag } from '@burgee/contract'
import { IconEye } from '@tabler/icons-react'
import { lazy, memo, Suspense } from 'react'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { ButtonLink } from '../../../shared/ui/links.tsx'

const FlagActions = lazy(() =>
  import('../lifecycle/flag-actions.tsx').then(({ FlagActions }) => ({ default: FlagActions })),
)

/** The link to the flag's exposure, and the actions on the flag as a whole. */
export const PageActions = memo(function PageActions({ flag }: { readonly flag: Flag }) {
  const { project_id, environment_id } = useScope()
  return (
    <>
      <ButtonLink
        variant="default"
        size="sm"
        leftSection={<IconEye size={16} />}
        to="/projects/$project_id/environments/$environment_id/exposure"
        params={{ project_id, environment_id }}
        search={{ flag_key: flag.key }}
      >
        Exposure
      </ButtonLink>
      <Suspense>
        <FlagActions flag={flag} />
      </Suspense>
    </>
  )
})
