import type { Log } from '../log/log.ts'
import type { Hint } from './bus.ts'

/** The listeners of an instance's bus. */
export interface HintListeners {
  add(listener: (hint: Hint) => void): () => void
  notify(hints: readonly Hint[]): void
}

export function createHintListeners(log: Log): HintListeners {
  const listeners = new Set<{ hear: (hint: Hint) => void }>()
  return {
    add(hear) {
      const entry = { hear }
      listeners.add(entry)
      return () => void listeners.delete(entry)
    },
    notify(hints) {
      for (const hint of hints) {
        for (const { hear } of listeners) {
          try {
            hear(hint)
          } catch (err) {
            log.error({ err }, 'a listener of the bus failed')
          }
        }
      }
    },
  }
}
