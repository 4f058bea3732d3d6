import type { JsonValue } from '@burgee/evaluation'

export interface OverridesHost {
  readonly env: Readonly<Record<string, string | undefined>>
  readFile(path: string): string
  warn(message: string): void
}

/** The longest text, in characters. */
const MAX_LENGTH = 1_048_576

/**
 * Returns the values that `BURGEE_OVERRIDES` forces: JSON by flag key, or the path of a file with it. It is
 * for development, and never applied silently. NODE_ENV=production ignores it with a warning, NODE_ENV=test
 * silently.
 */
export function environmentOverrides({ env, readFile, warn }: OverridesHost): Record<string, JsonValue> {
  const { BURGEE_OVERRIDES: given, NODE_ENV: mode } = env
  if (!given || mode === 'test') return {}
  if (mode === 'production') {
    warn('BURGEE_OVERRIDES is ignored, because NODE_ENV is production.')
    return {}
  }
  try {
    const text = given.trimStart().startsWith('{') ? given : readFile(given)
    if (text.length > MAX_LENGTH) throw new RangeError(`it has more than ${MAX_LENGTH} characters`)
    const values: unknown = JSON.parse(text)
    if (values === null || typeof values !== 'object' || Array.isArray(values)) {
      throw new TypeError('it is no JSON object of values by flag key')
    }
    warn(`BURGEE_OVERRIDES forces flags in this process: ${Object.keys(values).join(', ')}`)
    // What JSON.parse returns in an object is JSON.
    return values as Record<string, JsonValue>
  } catch (error) {
    warn(`BURGEE_OVERRIDES is ignored: ${error}`)
    return {}
  }
}
