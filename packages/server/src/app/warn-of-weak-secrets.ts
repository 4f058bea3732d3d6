import type { Log } from '../platform/log/log.ts'
import type { Config } from '../platform/settings/config.ts'
import { guessBits } from '../platform/settings/guess-bits.ts'

/** The length below which a secret is easily guessed. Each of them grants access by itself. */
const MIN_CHARS = 16
/** Fewer bits than in any 16 random hexadecimal digits, and more than in a repeated word of ten letters. */
const MIN_BITS = 32

type Secrets = Pick<Config, 'legacySdkKey' | 'metrics_token' | 'setup_token' | 'sessionSecrets'>

/** Logs a warning for each secret in the settings that can be guessed, because it is short or regular. */
export function warnOfWeakSecrets({ log }: { readonly log: Log }, config: Secrets): void {
  const secrets = {
    SDK_KEY: [config.legacySdkKey],
    METRICS_TOKEN: [config.metrics_token],
    SETUP_TOKEN: [config.setup_token],
    SESSION_SECRET: config.sessionSecrets ?? [],
  }
  for (const [setting, texts] of Object.entries(secrets)) {
    const given = texts.flatMap((text) => text ?? [])
    const why = given.some(({ length }) => length < MIN_CHARS)
      ? `is shorter than ${MIN_CHARS} characters`
      : given.some((text) => guessBits(text.replace(/^sk_live_/, '')) < MIN_BITS) &&
        'repeats a few characters'
    if (why)
      log.warn(
        { setting },
        `${setting} ${why} and can be guessed: use a random text, such as that of "openssl rand -hex 32"`,
      )
  }
}
