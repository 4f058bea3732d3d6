import type { SdkClients } from '../reporting/propagation/index.ts'
import type { KeyStreamCounts, StreamCounts } from '../serving/connections/index.ts'
import type { KeyStreamListener } from '../serving/stream/index.ts'
import type { KeyUses } from '../structure/sdk-keys/index.ts'

interface KeyStreamParts {
  readonly streamCounts: StreamCounts
  readonly keyCounts: KeyStreamCounts
  readonly keyUses: KeyUses
  readonly sdkClients: SdkClients
}

/** Counts each stream for its environment and for its key. Its end is a use of the key. */
export const listenToKeyStreams = ({
  keyCounts,
  keyUses,
  sdkClients,
  streamCounts,
}: KeyStreamParts): KeyStreamListener => ({
  opened({ environment_id, key_id }) {
    streamCounts.opened(environment_id)
    sdkClients.streamOpened(environment_id)
    if (key_id !== null) keyCounts.opened(key_id)
  },
  closed({ environment_id, key_id }) {
    streamCounts.closed(environment_id)
    sdkClients.streamClosed(environment_id)
    if (key_id !== null) keyCounts.closed(key_id)
    keyUses.record(key_id)
  },
})
