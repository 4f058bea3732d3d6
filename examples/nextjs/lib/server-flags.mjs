import { createClient } from '@burgee/sdk'

export const url = process.env.BURGEE_URL ?? 'http://localhost:3000'
/** A key of the kind client, because the page shows it. */
export const sdkKey = process.env.BURGEE_SDK_KEY ?? ''

let connected

/** Returns the flags of a user on the server. All requests share one client. */
export async function flagsOf({ key, attributes }) {
  connected ??= connect()
  return (await connected).forUser(key, attributes)
}

async function connect() {
  const client = createClient({ url, sdkKey })
  // While the server is unavailable, pages have their fallbacks.
  await client.connect({ timeoutMs: 5_000 }).catch((error) => console.error(`No flags yet: ${error.message}`))
  return client
}
