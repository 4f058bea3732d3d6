import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { send } from '../../shared/api/call.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { SecretOnce } from '../../shared/ui/secret-once.tsx'

interface ClientKeyProps {
  readonly project_id: string
  readonly environment_id: string
  /** Null until it is created. */
  readonly secret: string | null
  readonly onCreated: (secret: string) => void
}

/** Setup creates no key for browsers; it can be created here. */
export function ClientKey({ project_id, environment_id, secret, onCreated }: ClientKeyProps) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  if (secret !== null) return <SecretOnce label="Client key" secret={secret} />
  const create = async () => {
    setBusy(true)
    setError(null)
    try {
      const body = { name: 'Browser', environment_id, kind: 'client' } as const
      onCreated((await send('createSdkKey', { params: { project_id }, body })).body.key)
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {error !== null && <Failure error={error} />}
      <Group>
        <Button size="xs" variant="default" loading={isBusy} onClick={() => void create()}>
          Create client key
        </Button>
      </Group>
    </>
  )
}
