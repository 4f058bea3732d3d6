import type { SentChange } from './client-view.ts'
import type { Connection } from './connection.ts'
import { updateFrame } from './sse-frame.ts'
import { encodeFrames } from './stream-coding.ts'

/**
 * The frames of consecutive changes of one environment, encoded once for all connections that need the same
 * ones. A connection that joined in between gets only those above its own revision.
 */
export interface Broadcast {
  readonly revision: number
  bytesFor(connection: Pick<Connection, 'audience' | 'coding'>, after_revision: number): Buffer
}

export function createBroadcast(environment_id: string, changes: readonly SentChange[]): Broadcast {
  const encoded = new Map<string, Buffer>()
  const revision = changes.at(-1)?.revision ?? 0
  return {
    revision,
    bytesFor({ audience, coding }, after_revision) {
      const first = changes.findIndex((change) => change.revision > after_revision)
      if (first === -1) return NOTHING
      const name = `${audience} ${coding} ${first}`
      const known = encoded.get(name)
      if (known) return known
      const frames = changes.slice(first).map((change) => updateFrame(environment_id, change, audience))
      // Buffers instead of one text, because texts have a maximum length.
      const payload = Buffer.concat(frames.map((frame) => Buffer.from(frame)))
      const bytes = encodeFrames(coding, payload)
      encoded.set(name, bytes)
      return bytes
    },
  }
}
const NOTHING = Buffer.alloc(0)
