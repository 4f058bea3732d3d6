import { performance } from 'node:perf_hooks'

/**
 * Long computations share the event loop in slices: all of them together take at most `SLICE_MS` of one turn of the loop, and the first that
 * waits goes on in the next turn, after the sockets were read. A slice ends only where its computation looks at `hasTurn`.
 */
const SLICE_MS = 8

const waiting: (() => void)[] = []
/** When the slice of the present turn began; undefined in a turn that has done no long computation yet. */
let startedMs: number | undefined

/** Whether a long computation may go on in this turn of the event loop. */
function hasTurn(): boolean {
  if (startedMs === undefined) {
    startedMs = performance.now()
    setImmediate(startTurn)
    return waiting.length === 0
  }
  return waiting.length === 0 && performance.now() - startedMs < SLICE_MS
}

/** Resolves in a turn of the event loop that this computation has for itself. */
export function nextTurn(): Promise<void> {
  if (startedMs === undefined) {
    startedMs = performance.now()
    setImmediate(startTurn)
  }
  return new Promise((resolve) => waiting.push(resolve))
}

/** One computation a turn: what is queued here runs only after the loop has polled the sockets. */
function startTurn(): void {
  const next = waiting.shift()
  startedMs = next ? performance.now() : undefined
  if (!next) return
  setImmediate(startTurn)
  next()
}

/** Stands between two steps of a long computation: resolves at once while there is time, else in a later turn. */
export async function shareTurn(): Promise<void> {
  if (!hasTurn()) await nextTurn()
}

/** Runs a computation that yields wherever it may be interrupted, and gives its result. */
export async function inTurns<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    // Not awaited at every step: steps may be many and short.
    if (!hasTurn()) await nextTurn()
    const step = steps.next()
    if (step.done) return step.value
  }
}
