import { unavailable } from '../../kernel/refusal.ts'
import { isDatabaseUnavailable } from '../../platform/db/database-unavailable.ts'

/**
 * Lets concurrent requests share transactions: while the batches of one key are being stored, later ones are
 * collected and stored together next. A bounded number of keys is stored concurrently, and a failure of one
 * affects no other.
 */
export interface GroupedWrites {
  /** Registers a kind of batch. Its `store` stores all or none of the given batches. */
  kind<Batch extends Measured>(
    name: string,
    store: (key: string, batches: readonly Batch[]) => Promise<void>,
  ): (key: string, batch: Batch) => Promise<void>
}

/** The weight of a batch, in rows and in bytes of memory. */
export interface Measured {
  readonly rows: number
  readonly bytes: number
}

interface Limits {
  /** The number of concurrent groups. Each takes a database connection. */
  readonly lanes: number
  readonly rowsPerGroup: number
  readonly bytesPerGroup: number
  /**
   * The rows that may be pending in this process, including those being stored. Beyond it the response is 503
   * (docs/settings.md).
   */
  readonly rowsMax: number
  readonly bytesMax: number
}

interface Waiting<Batch> {
  readonly batch: Batch
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

interface Line {
  /** Stores the next group. */
  readonly storeNext: () => Promise<void>
  length: number
  isActive: boolean
}

const RETRY_AFTER_SECONDS = 1
/** The share of the total that one key may use. */
const KEY_SHARE = 0.5

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose functions share one state
export function createGroupedWrites(limits: Limits): GroupedWrites {
  const lines = new Map<string, Line>()
  const ready: string[] = []
  let active = 0
  let rows = 0
  let bytes = 0
  /** By key, for all kinds of batches together. */
  const waitingBy = new Map<string, Measured & { readonly batches: number }>()

  /**
   * Refuses a batch when the queue is full, or the half that one key may fill, so that it cannot starve
   * others. The first batch of a key may be larger.
   */
  function requireCapacity(key: string, batch: Measured): void {
    const waitingOfKey = waitingBy.get(key)
    const hasCapacity = rows + batch.rows <= limits.rowsMax && bytes + batch.bytes <= limits.bytesMax
    const hasShare =
      !waitingOfKey ||
      (waitingOfKey.rows + batch.rows <= KEY_SHARE * limits.rowsMax &&
        waitingOfKey.bytes + batch.bytes <= KEY_SHARE * limits.bytesMax)
    if (hasCapacity && hasShare) return
    throw unavailable('The queue of reports is full. Send them again in a moment.', RETRY_AFTER_SECONDS)
  }

  function count(key: string, batch: Measured, sign: 1 | -1): void {
    rows += sign * batch.rows
    bytes += sign * batch.bytes
    const { batches, ...waitingOfKey } = waitingBy.get(key) ?? { rows: 0, bytes: 0, batches: 0 }
    if (batches + sign === 0) waitingBy.delete(key)
    else
      waitingBy.set(key, {
        rows: waitingOfKey.rows + sign * batch.rows,
        bytes: waitingOfKey.bytes + sign * batch.bytes,
        batches: batches + sign,
      })
  }

  function wake(): void {
    while (active < limits.lanes) {
      const id = ready.shift()
      const line = id === undefined ? undefined : lines.get(id)
      if (id === undefined || !line) return
      active += 1
      line.isActive = true
      void line.storeNext().then(() => {
        active -= 1
        line.isActive = false
        // Moves the key to the end: others come first.
        if (line.length > 0) ready.push(id)
        else lines.delete(id)
        wake()
      })
    }
  }

  function openLine<Batch extends Measured>(
    { id, key }: { readonly id: string; readonly key: string },
    storeAll: (batches: readonly Batch[]) => Promise<void>,
    waiting: Waiting<Batch>[],
  ): Line {
    const storeNext = async () => {
      const group = takeGroup(waiting, limits)
      line.length -= group.length
      await settle(group, storeAll)
      for (const { batch } of group) count(key, batch, -1)
    }
    const line: Line = { storeNext, length: 0, isActive: false }
    lines.set(id, line)
    ready.push(id)
    return line
  }

  return {
    kind(name, store) {
      const waitingOf = new WeakMap<Line, Waiting<Parameters<typeof store>[1][number]>[]>()
      return (key, batch) =>
        new Promise((resolve, reject) => {
          requireCapacity(key, batch)
          count(key, batch, 1)
          const id = `${name} ${key}`
          let line = lines.get(id)
          let waiting = line && waitingOf.get(line)
          if (!line || !waiting) {
            waiting = []
            line = openLine({ id, key }, (batches) => store(key, batches), waiting)
            waitingOf.set(line, waiting)
          }
          line.length += 1
          waiting.push({ batch, resolve, reject })
          wake()
        })
    },
  }
}

/** Takes the first batch, and further ones that fit with it. */
function takeGroup<Batch extends Measured>(
  waiting: Waiting<Batch>[],
  { bytesPerGroup, rowsPerGroup }: Limits,
): Waiting<Batch>[] {
  let rows = 0
  let bytes = 0
  let length = 0
  for (const { batch } of waiting) {
    rows += batch.rows
    bytes += batch.bytes
    if (length > 0 && (rows > rowsPerGroup || bytes > bytesPerGroup)) break
    length += 1
  }
  return waiting.splice(0, length)
}

/** Resolves when every batch of the group has its outcome. */
async function settle<Batch>(
  group: readonly Waiting<Batch>[],
  store: (batches: readonly Batch[]) => Promise<void>,
): Promise<void> {
  try {
    await store(group.map(({ batch }) => batch))
  } catch (error) {
    if (group.length === 1 || isDatabaseUnavailable(error)) {
      for (const { reject } of group) reject(error)
      return
    }
    // One of the batches is invalid, so each is stored by itself.
    for (const each of group) await settle([each], store)
    return
  }
  for (const { resolve } of group) resolve()
}
