import type { Log } from '../platform/log.ts'
import type { Config } from '../platform/settings/config.ts'

/** The length below which a secret is easily guessed. Each of them grants access by itself. */
const MIN_CHARS = 16

type Secrets = Pick<Config, 'legacySdkKey' | 'metrics_token' | 'setup_token'>

/** Logs a warning for each secret in the settings that is short enough to be guessed. */
export function warnOfShortSecrets({ log }: { readonly log: Log }, config: Secrets): void {
  const secrets = {
    SDK_KEY: config.legacySdkKey,
    METRICS_TOKEN: config.metrics_token,
    SETUP_TOKEN: config.setup_token,
  }
  for (const [setting, secret] of Object.entries(secrets)) {
    if (secret === null || secret.length >= MIN_CHARS) continue
    log.warn(
      { setting },
      `${setting} is shorter than ${MIN_CHARS} characters and can be guessed: use a random text`,
    )
  }
}
