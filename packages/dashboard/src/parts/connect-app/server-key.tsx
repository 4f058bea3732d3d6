import type { CreatedSdkKey } from '@burgee/contract'
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { SecretOnce } from '../../shared/ui/secret-once.tsx'

/** The key that a project comes with: for scripts that change flags, so it is not what is offered first. */
export function ServerKey({ created }: { readonly created: CreatedSdkKey }) {
  const [isShown, setShown] = useState(false)
  if (isShown) {
    return (
      <SecretOnce
        label={`Server key of ${created.environment_name}`}
        secret={created.key}
        hint="For scripts that change flags: it may do everything in its environment. It is shown this once; it can be revoked and replaced in the project's settings."
      />
    )
  }
  return (
    <Group>
      <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setShown(true)}>
        Show the server key, for scripts that change flags
      </Button>
    </Group>
  )
}
