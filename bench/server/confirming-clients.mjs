/**
 * A process with real SDK clients that confirm what they have applied. It keeps when each client had applied
 * each value of a flag, and sends these times to its parent.
 */
import { performance } from 'node:perf_hooks'
import { createClient } from '@burgee/sdk'

const [, , urls, sdk_key, flag_key, count, first] = process.argv
const servers = urls.split(',')
/** The times of application by value, in milliseconds since 1970. */
const appliedAt = new Map()

const now = () => performance.timeOrigin + performance.now()

const clients = Array.from({ length: Number(count) }, (_, nth) => {
  const at = Number(first) + nth
  const client = createClient({
    url: servers[at % servers.length],
    sdkKey: sdk_key,
    appName: 'bench',
    instanceId: `host-${at}`,
    impressions: 'off',
  })
  client.on('update', () => {
    const value = client.getVariant(flag_key, 'user-1')
    const times = appliedAt.get(value) ?? []
    times.push(now())
    appliedAt.set(value, times)
  })
  return client
})
await Promise.all(clients.map((client) => client.connect()))
process.send({ kind: 'connected' })

process.on('message', ({ value }) => {
  process.send({ kind: 'applied', value, times: appliedAt.get(value) ?? [] })
  appliedAt.delete(value)
})
process.on('disconnect', () => process.exit(0))
