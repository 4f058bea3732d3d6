import { existsSync, readFileSync } from 'node:fs'
import { flags } from './burgee.mjs'

const entry = new URL('../../../packages/sdk/dist/index.js', import.meta.url)

/**
 * The SDK around the evaluation, with every evaluation recorded as an impression. Null until packages/sdk is
 * built. Nothing is sent while it is measured: the client is never connected, and what its queue cannot hold
 * is dropped.
 */
export async function createContestant() {
  if (!existsSync(entry)) return null
  const { createClient } = await import(entry.href)
  const client = createClient({ url: 'http://127.0.0.1:9', sdkKey: 'sk_live_bench', bootstrap: flags })
  const enabled = (flagKey) => ({
    prepare: (user) => user,
    ask: (user) => client.isEnabled(flagKey, user.key, user.attributes),
  })
  const manifest = new URL('../../../packages/sdk/package.json', import.meta.url)
  return {
    name: 'Burgee SDK with impressions recording',
    version: JSON.parse(readFileSync(manifest, 'utf8')).version,
    questions: {
      boolean: enabled('boolean'),
      rollout: enabled('rollout'),
      rules: enabled('rules'),
      variants: {
        prepare: (user) => user,
        ask: (user) => client.getVariant('variants', user.key, user.attributes),
      },
      prerequisite: enabled('prerequisite'),
      fifty: enabled('fifty'),
      'non-ascii': enabled('rollout'),
    },
    close: () => client.close(),
  }
}
