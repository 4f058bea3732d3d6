import type { Hint } from './bus.ts'

/** Collects the hints of one turn of the event loop, so that a burst of writes sends one message. */
export interface HintOutbox {
  add(hint: Hint): void
  /** Stops sending. Resolves when the pending send has finished. */
  close(): Promise<void>
}

/**
 * Calls `send` with at most one hint for each environment (the highest revision), never concurrently. `send`
 * must not throw when the bus is unavailable; if it does, the hints are dropped.
 */
export function createHintOutbox(send: (hints: Hint[]) => Promise<void>): HintOutbox {
  const pending = new Map<string, Hint>()
  let sending: Promise<void> | null = null
  let closed = false

  async function flush(): Promise<void> {
    await new Promise(setImmediate)
    while (pending.size > 0 && !closed) {
      const hints = [...pending.values()]
      pending.clear()
      await send(hints).catch(() => undefined)
    }
    sending = null
  }

  return {
    add(hint) {
      if (closed) return
      const key = hint.kind === 'changes' ? hint.environment_id : hint.kind
      pending.set(key, laterOf(pending.get(key), hint))
      sending ??= flush()
    },
    async close() {
      closed = true
      await sending
    },
  }
}

function laterOf(known: Hint | undefined, hint: Hint): Hint {
  return known?.kind === 'changes' && hint.kind === 'changes' && known.revision > hint.revision ? known : hint
}
