/**
 * A process with the official OFREP provider for browsers, which notifies its parent of each event
 * `ConfigurationChanged`. It needs `--experimental-eventsource` for the class `EventSource`.
 */
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { OpenFeature, ProviderEvents } from '@openfeature/web-sdk'
import { monotonicMs } from '../harness/monotonic-ms.mjs'

const [, , baseUrl, sdk_key, flag_key] = process.argv
const client = OpenFeature.getClient()
client.addHandler(ProviderEvents.ConfigurationChanged, () => {
  const seenAt = monotonicMs()
  process.send({ kind: 'seen', seenAt, value: client.getStringValue(flag_key, 'none') })
})
await OpenFeature.setContext({ targetingKey: 'user-1', country: 'de' })
// Without a poll, only the event stream announces a change.
const provider = new OFREPWebProvider({
  baseUrl,
  headers: [['X-API-Key', sdk_key]],
  cacheMode: 'disabled',
  pollInterval: 0,
})
await OpenFeature.setProviderAndWait(provider)
process.send({ kind: 'connected' })
process.on('disconnect', () => process.exit(0))
