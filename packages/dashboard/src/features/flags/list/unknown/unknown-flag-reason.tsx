import type { UnknownFlag } from '@burgee/contract'
import { Fragment } from 'react'
import { useScope } from '../../../../shared/scope/use-scope.ts'
import { AnchorLink } from '../../../../shared/ui/links.tsx'
import { Time } from '../../../../shared/ui/time.tsx'

/** The likely reason why a flag does not exist, with links to the flags that it names. */
export function UnknownFlagReason({ because, flag_key }: Pick<UnknownFlag, 'because' | 'flag_key'>) {
  if (because === null) return null
  switch (because.reason) {
    case 'archived':
      return (
        <>
          <FlagLink flag_key={flag_key}>The flag</FlagLink> was archived <Past {...because} />.
        </>
      )
    case 'deleted':
      return (
        <>
          It was deleted <Past {...because} />.
        </>
      )
    case 'did_you_mean':
      return (
        <>
          Did you mean <FlagLink flag_key={because.flag_key}>{because.flag_key}</FlagLink>?
        </>
      )
    case 'other_environments':
      return (
        <>
          It exists only in{' '}
          {because.environments.map(({ id, name }, at) => (
            <Fragment key={id}>
              {at > 0 && (at === because.environments.length - 1 ? ' and ' : ', ')}
              {name}
            </Fragment>
          ))}
          .
        </>
      )
  }
}

const Past = ({ at, by }: { readonly at: string; readonly by: string | null }) => (
  <>
    <Time at={at} inherit span />
    {by !== null && ` by ${by}`}
  </>
)

function FlagLink({ flag_key, children }: { readonly flag_key: string; readonly children: string }) {
  const { environment_id, project_id } = useScope()
  return (
    <AnchorLink
      inherit
      underline="always"
      to="/projects/$project_id/environments/$environment_id/flags/$flag_key"
      params={{ project_id, environment_id, flag_key }}
    >
      {children}
    </AnchorLink>
  )
}
