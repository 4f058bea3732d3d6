import { getHeapStatistics, setFlagsFromString } from 'node:v8'

const MIB = 1024 * 1024
/**
 * The garbage that V8 may collect at once. By itself it lets a heap grow to four times what is in use: beside
 * flags of 200 MB that is most of a gigabyte, which it takes for texts of responses that were sent long ago.
 */
const GARBAGE_MAX_BYTES = 64 * MIB
/** The growth of large heaps: less would mark them again and again. */
const LEAST_PERCENT = 20
/** The growth from which V8 decides by itself. */
const MOST_PERCENT = 300
/** The interval at which the heap is looked at: a load of 200 MB of flags takes seconds. */
const LOOK_EVERY_MS = 100

/**
 * Limits the garbage in the heap by what is in use. `--heap-growing-percent` counts for each next
 * collection.
 */
export function limitHeapGrowth(): { close(): void } {
  let set = 0
  const look = (): void => {
    const percent = growthPercent(getHeapStatistics().used_heap_size)
    if (percent === set) return
    set = percent
    setFlagsFromString(`--heap-growing-percent=${percent}`)
  }
  const timer = setInterval(look, LOOK_EVERY_MS).unref()
  return { close: () => clearInterval(timer) }
}

/** Lets the young generation double under load, as V8 does by itself (`start-with-small-heap.ts`). */
export const letYoungHeapGrow = (): void => setFlagsFromString('--semi-space-growth-factor=2')

/** Returns the growth in percent of a heap, in steps of ten; 0 where V8 decides. */
export function growthPercent(usedBytes: number): number {
  const percent = Math.round((10 * GARBAGE_MAX_BYTES) / usedBytes) * 10
  if (percent >= MOST_PERCENT) return 0
  return Math.max(percent, LEAST_PERCENT)
}
