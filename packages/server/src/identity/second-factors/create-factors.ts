import type { WorkspaceWriteDeps } from '../../changes/index.ts'
import type { OpenedDataKey } from '../../platform/crypto/data-key.ts'
import { createTextSeal } from '../../platform/crypto/sealed-text.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Config } from '../../platform/settings/config.ts'
import { createSecondFactors, type SecondFactors } from './create-second-factors.ts'
import { CHALLENGE_PURPOSE } from './passkeys/challenges.ts'
import { createPasskeys } from './passkeys/create-passkeys.ts'

interface Deps extends WorkspaceWriteDeps {
  readonly log: Log
  readonly data_key: OpenedDataKey
  readonly sessionSecrets: readonly string[]
}

/** Creates the second factors of accounts: authenticator apps, recovery codes and passkeys. */
export function createFactors({ publicUrl }: Pick<Config, 'publicUrl'>, deps: Deps): SecondFactors {
  const { clock, data_key, sessionSecrets } = deps
  const passkeys = createPasskeys({
    ...deps,
    seal: createTextSeal(sessionSecrets, CHALLENGE_PURPOSE),
    handleKey: data_key.derive('handles of passkeys'),
    publicUrl,
  })
  return createSecondFactors({ clock, data_key, passkeys })
}
