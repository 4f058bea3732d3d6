import { KEY_MAX_LENGTH } from '@burgee/contract'
import { isClientKey, type SdkKeyActor } from '../../kernel/actor.ts'
import type { Log } from '../../platform/log/log.ts'
import type { StoreUnknownFlags } from './store-unknown-flags.ts'
import { toUnknownFlagBatch } from './unknown-flag-batch.ts'

/** Counts evaluations of unknown flags on this server, and stores them some at a time. */
export interface UnknownFlagCounter {
  count(actor: SdkKeyActor, flag_key: string): void
  /** Stores what is pending. */
  close(): Promise<void>
}

interface Line {
  readonly environment_id: string
  readonly isFromClient: boolean
  readonly counts: Map<string, number>
}

interface CounterDeps {
  readonly log: Log
  readonly storeUnknown: StoreUnknownFlags
}

/** The time for which counts are gathered. */
const GATHER_MS = 2_000
/** The keys that are gathered of an environment, and of all. Further ones are not counted. */
const KEYS_MAX = 100
const ALL_KEYS_MAX = 10_000

/** Creates the counter. The memory of an evaluation is at most one entry, and often none. */
export function createUnknownFlagCounter({ log, storeUnknown }: CounterDeps): UnknownFlagCounter {
  const lines = new Map<string, Line>()
  const running = new Set<Promise<void>>()
  let keys = 0
  let timer: NodeJS.Timeout | null = null

  async function store({ counts, environment_id, isFromClient }: Line): Promise<void> {
    try {
      await storeUnknown(environment_id, toUnknownFlagBatch([...counts], isFromClient))
    } catch (err) {
      log.warn({ err, environment_id }, 'unknown flags of OFREP could not be stored')
    }
  }

  function storeAll(): void {
    timer = null
    // One round at a time: a slow database gets larger counts, not more transactions.
    if (running.size > 0) {
      timer = setTimeout(storeAll, GATHER_MS)
      return
    }
    startStoring()
  }

  function startStoring(): void {
    for (const line of lines.values()) {
      const stored = store(line).finally(() => running.delete(stored))
      running.add(stored)
    }
    lines.clear()
    keys = 0
  }

  return {
    count(actor, flag_key) {
      // No flag can have the empty key, and it names nothing that one could look for.
      if (flag_key === '') return
      const { environment_id } = actor
      const isFromClient = isClientKey(actor)
      const name = `${environment_id} ${isFromClient}`
      const line = lines.get(name) ?? { environment_id, isFromClient, counts: new Map() }
      const key = toStoredKey(flag_key)
      const known = line.counts.get(key)
      if (known === undefined && (line.counts.size >= KEYS_MAX || keys >= ALL_KEYS_MAX)) return
      if (known === undefined) keys += 1
      line.counts.set(key, (known ?? 0) + 1)
      lines.set(name, line)
      timer ??= setTimeout(storeAll, GATHER_MS)
    },
    async close() {
      if (timer) clearTimeout(timer)
      timer = null
      startStoring()
      await Promise.all(running)
    },
  }
}

/** The key as reports have it: at most 100 characters, without those that the database cannot store. */
const toStoredKey = (key: string): string =>
  key.slice(0, KEY_MAX_LENGTH).toWellFormed().replaceAll('\0', '\ufffd')
