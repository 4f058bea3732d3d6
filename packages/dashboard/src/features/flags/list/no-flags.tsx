import { IconFlag } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { serverUrl } from '../../../shared/api/base-path.ts'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'

const SNIPPET = `import { createClient } from '@burgee/sdk'

const flags = createClient({
  url: location.origin,
  sdkKey: process.env.BURGEE_SDK_KEY,
})
await flags.connect()

if (flags.isEnabled('new-checkout', user.id)) {
  // only for those who get it
}`

/** The first page of a new environment. */
export function NoFlags({
  environment,
  action,
}: {
  readonly environment: string
  readonly action: ReactNode
}) {
  return (
    <EmptyState
      icon={<IconFlag size={22} />}
      title={`No flags in ${environment} yet`}
      snippet={SNIPPET.replace('location.origin', `'${serverUrl()}'`)}
      action={action}
    >
      A flag switches a part of your program on and off while it runs: for everyone, for a percentage, or for
      those whom your rules name. Create one, then evaluate it in your code.
    </EmptyState>
  )
}
