import { unavailable } from '../kernel/refusal.ts'
import { isDatabaseUnavailable } from './db/database-unavailable.ts'

/**
 * Lets concurrent requests share transactions: while the batches of one key are being stored, those that come meanwhile gather and
 * are stored together next. Keys are stored side by side, a bounded number of them, and one that fails fails no other.
 */
export interface GroupedWrites {
  /** One kind of batch. Its `store` stores all or none of what it is given. */
  kind<Batch extends Measured>(
    name: string,
    store: (key: string, batches: readonly Batch[]) => Promise<void>,
  ): (key: string, batch: Batch) => Promise<void>
}

/** How much a batch weighs, in rows and in bytes of memory. */
export interface Measured {
  readonly rows: number
  readonly bytes: number
}

interface Limits {
  /** Stored side by side: each takes a database connection. */
  readonly lanes: number
  readonly rows_per_group: number
  readonly bytes_per_group: number
  /** What may wait in this process, the batches that are being stored included; beyond it is 503 (contract, section 12). */
  readonly rows_max: number
  readonly bytes_max: number
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
  is_active: boolean
}

const RETRY_AFTER_SECONDS = 1
/** Of what may wait in all. */
const KEY_SHARE = 0.5

export function createGroupedWrites(limits: Limits): GroupedWrites {
  const lines = new Map<string, Line>()
  const ready: string[] = []
  let active = 0
  let rows = 0
  let bytes = 0
  /** Of every key, whatever the kind of its batches. */
  const held_by = new Map<string, Measured & { readonly batches: number }>()

  /** Of the room as a whole, and of the half of it that one key may fill: the others shall find some. Its first batch may be larger. */
  function requireRoom(key: string, batch: Measured): void {
    const held = held_by.get(key)
    const has_room = rows + batch.rows <= limits.rows_max && bytes + batch.bytes <= limits.bytes_max
    const has_share =
      !held ||
      (held.rows + batch.rows <= KEY_SHARE * limits.rows_max &&
        held.bytes + batch.bytes <= KEY_SHARE * limits.bytes_max)
    if (has_room && has_share) return
    throw unavailable('Too much waits to be stored. Send it again in a moment.', RETRY_AFTER_SECONDS)
  }

  function hold(key: string, batch: Measured, sign: 1 | -1): void {
    rows += sign * batch.rows
    bytes += sign * batch.bytes
    const { batches, ...held } = held_by.get(key) ?? { rows: 0, bytes: 0, batches: 0 }
    if (batches + sign === 0) held_by.delete(key)
    else
      held_by.set(key, {
        rows: held.rows + sign * batch.rows,
        bytes: held.bytes + sign * batch.bytes,
        batches: batches + sign,
      })
  }

  function wake(): void {
    while (active < limits.lanes) {
      const id = ready.shift()
      const line = id === undefined ? undefined : lines.get(id)
      if (id === undefined || !line) return
      active += 1
      line.is_active = true
      void line.storeNext().then(() => {
        active -= 1
        line.is_active = false
        // At the end of the line: other keys come first.
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
      for (const { batch } of group) hold(key, batch, -1)
    }
    const line: Line = { storeNext, length: 0, is_active: false }
    lines.set(id, line)
    ready.push(id)
    return line
  }

  return {
    kind(name, store) {
      const waiting_of = new WeakMap<Line, Waiting<Parameters<typeof store>[1][number]>[]>()
      return (key, batch) =>
        new Promise((resolve, reject) => {
          requireRoom(key, batch)
          hold(key, batch, 1)
          const id = `${name} ${key}`
          let line = lines.get(id)
          let waiting = line && waiting_of.get(line)
          if (!line || !waiting) {
            waiting = []
            line = openLine({ id, key }, (batches) => store(key, batches), waiting)
            waiting_of.set(line, waiting)
          }
          line.length += 1
          waiting.push({ batch, resolve, reject })
          wake()
        })
    },
  }
}

/** The first always, and what else fits beside it. */
function takeGroup<Batch extends Measured>(
  waiting: Waiting<Batch>[],
  { bytes_per_group, rows_per_group }: Limits,
): Waiting<Batch>[] {
  let rows = 0
  let bytes = 0
  let length = 0
  for (const { batch } of waiting) {
    rows += batch.rows
    bytes += batch.bytes
    if (length > 0 && (rows > rows_per_group || bytes > bytes_per_group)) break
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
    // Something is wrong with one of them: the others shall not share its fate.
    for (const each of group) await settle([each], store)
    return
  }
  for (const { resolve } of group) resolve()
}
