/** The place where code with an SDK runs, which decides the kind of its key. */
export type Runtime = 'node' | 'browser'

interface SnippetInput {
  readonly runtime: Runtime
  /** This server's address, as SDKs reach it. */
  readonly url: string
  readonly sdk_key: string
  readonly flag_key: string
}

/** The SDK comes from the server itself until it is on a registry. */
export const installCommand = (url: string): string => `npm install ${url}/burgee-sdk.tgz`

export const PLACEHOLDER_KEY: Readonly<Record<Runtime, string>> = {
  node: '<your reader key>',
  browser: '<your client key>',
}

/** A whole program that prints what a flag is, and prints it again when the flag is changed. */
export function sdkSnippet({ flag_key, runtime, sdk_key, url }: SnippetInput): string {
  // A server's key belongs into its environment; the fallback is for the first try.
  const key = runtime === 'node' ? `process.env.BURGEE_SDK_KEY ?? '${sdk_key}'` : `'${sdk_key}'`
  return `import { createClient } from '@burgee/sdk'

const flags = createClient({
  url: '${url}',
  sdkKey: ${key},
})
await flags.connect()

function show() {
  const isOn = flags.isEnabled('${flag_key}', 'user-1')
  console.log('${flag_key} is', isOn ? 'on' : 'off')
}
show()
flags.on('update', show)
`
}

const DOTS = '••••••••••••'

/** The same with the secret out of sight: people share their screens. */
export const masked = (code: string, secret: string): string => code.replaceAll(secret, `sk_live_${DOTS}`)
