import type { Connection } from './connection.ts'
import { KEEP_ALIVE_FRAME } from './sse-frame.ts'
import { encodeForAll } from './stream-coding.ts'

const SLOT_MS = 1000

/** Sends each connection a comment line every `periodMs`, spread over the period: one slot each second. */
export interface KeepAlives {
  /** Adds a connection. Returns a function that removes it. */
  add(connection: Connection): () => void
  close(): void
}

export function createKeepAlives(periodMs: number): KeepAlives {
  const slots = Array.from({ length: periodMs / SLOT_MS }, () => new Set<Connection>())
  let served = 0
  let added = 0
  const timer = setInterval(() => {
    served = (served + 1) % slots.length
    for (const connection of slots[served] ?? []) {
      const frames = connection.audience === 'events' ? SHORT : USUAL
      connection.keepAlive(frames[connection.coding])
    }
  }, SLOT_MS)
  return {
    add(connection) {
      const slot = slots[(served + added++) % slots.length]
      slot?.add(connection)
      return () => {
        slot?.delete(connection)
      }
    },
    close: () => clearInterval(timer),
  }
}

const USUAL = encodeForAll(KEEP_ALIVE_FRAME)
const SHORT = encodeForAll(': ka\n\n')
