import type { CreatedSdkKey } from '@burgee/contract'
import { SecretOnce } from '../../shared/ui/secret-once.tsx'
import { ServerKey } from './server-key.tsx'

interface FirstKeysProps {
  /** The key for the first program; null where it could not be created. */
  readonly readerKey: string | null
  /** The key that the project came with. */
  readonly serverKey: CreatedSdkKey
}

/**
 * The keys of a new project: the one that only reads comes first, the one that may do everything on request.
 */
export function FirstKeys({ readerKey, serverKey }: FirstKeysProps) {
  const { environment_name, key } = serverKey
  if (readerKey === null) return <SecretOnce label={`Server key of ${environment_name}`} secret={key} />
  return (
    <>
      <SecretOnce label={`Reader key of ${environment_name}`} secret={readerKey} />
      <ServerKey created={serverKey} />
    </>
  )
}

export const ABOUT_LONE_SERVER_KEY =
  'The reader key could not be created. This is a server key: it may change everything in its environment. For programs that only read flags, create a reader key in the settings of the project.'
