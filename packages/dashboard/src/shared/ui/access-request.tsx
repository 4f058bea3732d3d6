import { CopyButton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { endpointQuery } from '../api/queries.ts'
import { useMe } from '../scope/use-me.ts'
import classes from './access-request.module.css'
import { CopyAction } from './copy-action.tsx'
import { formatNames } from './format-names.ts'

interface AccessRequestProps {
  /** The access that the person wants: `the role admin in the project Web shop`. */
  readonly wanted: string
  /** True if admins of the open project can give it; a workspace admin always can. */
  readonly isProjectRole?: boolean
}

/** Names who can give the right that an address needs, with a text to send them. */
export function AccessRequest({ wanted, isProjectRole = false }: AccessRequestProps) {
  const { project_id = '' } = useParams({ strict: false })
  const me = useMe()
  const members = useQuery({
    ...endpointQuery('listMembers', { params: { project_id } }),
    enabled: isProjectRole && project_id !== '',
  }).data
  const admins = members?.filter(({ role }) => role === 'admin').map(({ email }) => email) ?? []
  const text = `Please give me ${wanted}. My account is ${me?.email ?? ''}. I need it for ${location.href}`
  return (
    <>
      <Text size="sm" mt="xs">
        {admins.length > 0
          ? `${formatNames(admins)} can give it to you, and so can a workspace admin.`
          : 'A workspace admin can give it to you.'}{' '}
        Send them this:
      </Text>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset holds fields */}
      <div className={classes.request} role="group" aria-label="Request for access">
        <span className={classes.text}>{text}</span>
        <CopyButton value={text}>
          {({ copied, copy }) => <CopyAction isCopied={copied} onClick={copy} label="Copy the request" />}
        </CopyButton>
      </div>
    </>
  )
}
