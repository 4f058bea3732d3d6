import { performance } from 'node:perf_hooks'

/**
 * The slice of long computations in one turn of the event loop: all of them together take at most `SLICE_MS`,
 * and the first that waits continues in the next turn, after the sockets were read. A slice ends only where
 * its computation checks `hasTurn`.
 */
const SLICE_MS = 8
/**
 * The slice of analyses, which take seconds: a write of a flag needs some ten turns until its last stream
 * has it, and waits for a slice in each.
 */
const ANALYSIS_SLICE_MS = 2

/** The pause of an analysis between two slices while a change is written: it has a fifth of the time. */
const URGENT_PAUSE_MS = 8

const waiting: (() => void)[] = []
/** The tasks before which analyses pause, and the analyses that do. */
let urgent = 0
const pausing = new Set<() => void>()
/** The start of the slice in this turn; undefined when the turn has run no long computation yet. */
let startedMs: number | undefined

/** Returns whether a long computation may continue in this turn of the event loop. */
function hasTurn(sliceMs: number): boolean {
  if (startedMs === undefined) {
    beginSlice()
    return waiting.length === 0
  }
  return waiting.length === 0 && performance.now() - startedMs < sliceMs
}

function beginSlice(): void {
  startedMs = performance.now()
  setImmediate(startTurn)
}

/** Counts work that cannot wait for a turn, such as what a driver parses, in the slice of this one. */
export function countInTurn<T>(work: () => T): T {
  if (startedMs === undefined) beginSlice()
  return work()
}

/** Resolves in a turn of the event loop that is reserved for this computation. */
export function nextTurn(): Promise<void> {
  if (startedMs === undefined) beginSlice()
  return new Promise((resolve) => waiting.push(resolve))
}

/** Starts one computation in a turn: queued ones run only after the loop has polled the sockets. */
function startTurn(): void {
  const next = waiting.shift()
  startedMs = next ? performance.now() : undefined
  if (!next) return
  setImmediate(startTurn)
  next()
}

/**
 * Yields between two steps of a long computation: resolves at once while there is time, otherwise in a later
 * turn.
 */
export async function shareTurn(): Promise<void> {
  if (!hasTurn(SLICE_MS)) await nextTurn()
}

/** Runs a computation that is short enough for any turn, without one of its own. */
export function atOnce<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Runs a computation that yields where it may be interrupted, and returns its result. */
export const inTurns = <T>(steps: Generator<unknown, T>): Promise<T> => runIn(SLICE_MS, steps)

/** Does the same for an analysis, for which no other request waits. It pauses before urgent tasks. */
export const inShortTurns = <T>(steps: Generator<void, T>): Promise<T> =>
  runIn(ANALYSIS_SLICE_MS, steps, pause)

/** Runs a task, such as the delivery of a change, before which analyses pause. */
export async function beforeAnalyses<T>(task: () => Promise<T>): Promise<T> {
  urgent += 1
  try {
    return await task()
  } finally {
    urgent -= 1
    if (urgent === 0) for (const resume of pausing) resume()
  }
}

/** Resolves when nothing urgent runs, or when an analysis has paused for long enough. */
async function pause(): Promise<void> {
  if (urgent === 0) return
  await new Promise<void>((resolve) => {
    const resume = () => {
      clearTimeout(timer)
      pausing.delete(resume)
      resolve()
    }
    const timer = setTimeout(resume, URGENT_PAUSE_MS)
    pausing.add(resume)
  })
}

async function runIn<T>(
  sliceMs: number,
  steps: Generator<unknown, T>,
  beforeTurn: () => Promise<void> = async () => undefined,
): Promise<T> {
  for (;;) {
    // Not awaited after every step, because steps may be many and short.
    if (!hasTurn(sliceMs)) {
      await beforeTurn()
      await nextTurn()
    }
    const step = steps.next()
    if (step.done) return step.value
  }
}
