import type { FlagType } from '@burgee/evaluation'

export const SDKS = ['node', 'browser', 'react', 'openfeature_server', 'openfeature_web', 'ofrep'] as const
export type Sdk = (typeof SDKS)[number]

/** Patterns of the texts with which code names a flag. Keys have no character with a meaning in patterns. */
export function searchPatternsOf(key: string): Readonly<Record<string, string>> {
  const quoted = `['"\`]${key}['"\`]`
  return {
    anywhere: quoted,
    'burgee sdk': `(isEnabled|getVariant|evaluate)\\(\\s*${quoted}`,
    react: `useFlag\\w*\\(\\s*${quoted}`,
    openfeature: `get(Boolean|String|Number|Object)(Value|Details)\\w*\\(\\s*${quoted}`,
    ofrep: `evaluate/flags/${key}`,
  }
}

const DEFAULTS: Readonly<Record<FlagType, string>> = {
  boolean: 'false',
  string: "'default'",
  integer: '0',
  json: '{}',
}
const KINDS: Readonly<Record<FlagType, string>> = {
  boolean: 'Boolean',
  string: 'String',
  integer: 'Number',
  json: 'Object',
}

/** Returns code that reads a flag. The key has only letters, digits, `_` and `-`. */
export function writeSnippet(sdk: Sdk, key: string, type: FlagType): string {
  const fallback = DEFAULTS[type]
  const read = type === 'boolean' ? `isEnabled('${key}', userKey)` : `getVariant('${key}', userKey)`
  const open = `get${KINDS[type]}Value('${key}', ${fallback}`
  switch (sdk) {
    case 'node':
    case 'browser':
      return [
        "import { createClient } from '@burgee/sdk'",
        '',
        "const flags = createClient({ url: process.env.BURGEE_URL ?? '', sdkKey: process.env.BURGEE_SDK_KEY ?? '' })",
        'await flags.connect()',
        '',
        `const value = flags.${read}`,
      ].join('\n')
    case 'react':
      return [
        "import { useFlag } from '@burgee/react'",
        '',
        `const value = useFlag('${key}', ${fallback})`,
      ].join('\n')
    case 'openfeature_server':
      return [
        "import { BurgeeProvider } from '@burgee/openfeature/server'",
        "import { OpenFeature } from '@openfeature/server-sdk'",
        '',
        "await OpenFeature.setProviderAndWait(new BurgeeProvider({ url: process.env.BURGEE_URL ?? '', sdkKey: process.env.BURGEE_SDK_KEY ?? '' }))",
        `const value = await OpenFeature.getClient().${open}, { targetingKey: userKey })`,
      ].join('\n')
    case 'openfeature_web':
      return [
        "import { BurgeeProvider } from '@burgee/openfeature/web'",
        "import { OpenFeature } from '@openfeature/web-sdk'",
        '',
        'await OpenFeature.setContext({ targetingKey: userKey })',
        'await OpenFeature.setProviderAndWait(new BurgeeProvider({ url, sdkKey: clientKey }))',
        `const value = OpenFeature.getClient().${open})`,
      ].join('\n')
    case 'ofrep':
      return [
        `curl "$BURGEE_URL/ofrep/v1/evaluate/flags/${key}" \\`,
        '  -H "Authorization: Bearer $BURGEE_SDK_KEY" -H \'Content-Type: application/json\' \\',
        '  -d \'{"context": {"targetingKey": "user-1"}}\'',
      ].join('\n')
  }
}
