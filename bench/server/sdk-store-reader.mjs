/**
 * A process with a real SDK client, which notifies its parent when the client's store has a flag's new value.
 */
import { createClient } from '@burgee/sdk'
import { monotonicMs } from '../harness/monotonic-ms.mjs'

const [, , url, sdk_key, flag_key] = process.argv
const client = createClient({ url, sdkKey: sdk_key })
client.on('update', () => {
  const seenAt = monotonicMs()
  process.send({ kind: 'seen', seenAt, value: client.getVariant(flag_key, 'user-1') })
})
await client.connect()
process.send({ kind: 'connected' })
process.on('disconnect', () => process.exit(0))
