import { unavailable } from '../kernel/refusal.ts'

export interface Turn {
  /** The address that asks, as limits count it. */
  readonly from: string
  /** Tasks of one account never run at the same time. */
  readonly account?: string
}

/**
 * Runs a bounded number of tasks at once. The next turn goes to the address that had the fewest while others waited, so an address
 * that sends one task does not wait for those that send many.
 */
export interface FairQueue {
  /** Resolves or rejects as the task does; refuses with `unavailable` when too many tasks wait. */
  run<T>(turn: Turn, task: () => Promise<T>): Promise<T>
}

interface Waiting extends Turn {
  readonly start: () => void
  readonly refuse: (error: Error) => void
}

interface Limits {
  /** Tasks that run at once. */
  readonly concurrency: number
  /** Tasks that wait, of all addresses together. */
  readonly waitingMax: number
  /** What a refused caller is told to do. */
  readonly message: string
}

const RETRY_AFTER_SECONDS = 5
/** Addresses whose turns are counted. */
const COUNTED_MAX = 10_000

/**
 * When the queue is full, the newest task of the address with the most waiting tasks is refused: an address that floods the
 * queue crowds out itself, and a task that waits is never refused for one of an address that has as many.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose functions share one state
export function createFairQueue({ concurrency, message, waitingMax }: Limits): FairQueue {
  /** By address, in the order in which they have their turn. */
  const lines = new Map<string, Waiting[]>()
  const busyAccounts = new Set<string>()
  /** Turns by address, counted while tasks wait. */
  const turns = new Map<string, number>()
  let running = 0
  let waiting = 0

  const refusal = () => unavailable(message, RETRY_AFTER_SECONDS)
  const isFree = ({ account }: Turn): boolean => account === undefined || !busyAccounts.has(account)

  function begin({ account }: Turn): void {
    running += 1
    if (account !== undefined) busyAccounts.add(account)
  }

  function end({ account }: Turn): void {
    running -= 1
    if (account !== undefined) busyAccounts.delete(account)
    while (running < concurrency) {
      const next = takeNext()
      if (!next) return
      begin(next)
      next.start()
    }
  }

  /** Of the addresses with a task that can begin, the one with the fewest turns; of several the one that waits for longest. */
  function nextAddress(): string | undefined {
    let next: string | undefined
    let fewest = Number.POSITIVE_INFINITY
    for (const [from, line] of lines) {
      const had = turns.get(from) ?? 0
      if (had >= fewest || !line.some(isFree)) continue
      next = from
      fewest = had
      if (fewest === 0) break
    }
    return next
  }

  function takeNext(): Waiting | undefined {
    const from = nextAddress()
    const line = from === undefined ? undefined : lines.get(from)
    if (from === undefined || !line) return undefined
    const [next] = line.splice(line.findIndex(isFree), 1)
    // To the end of those with as many turns.
    lines.delete(from)
    if (line.length > 0) lines.set(from, line)
    waiting -= 1
    countTurn(from)
    return next
  }

  /** Once nothing waits, turns need no order, and counting begins again. */
  function countTurn(from: string): void {
    if (lines.size === 0 || turns.size >= COUNTED_MAX) turns.clear()
    else turns.set(from, (turns.get(from) ?? 0) + 1)
  }

  function makeRoom(from: string): void {
    if (waiting < waitingMax) return
    let longest: Waiting[] = []
    for (const line of lines.values()) if (line.length > longest.length) longest = line
    const withNewcomer = (lines.get(from)?.length ?? 0) + 1
    if (longest.length <= withNewcomer) throw refusal()
    // At least one task stays, so no line is ever empty.
    longest.pop()?.refuse(refusal())
    waiting -= 1
  }

  function wait(turn: Turn): Promise<void> {
    makeRoom(turn.from)
    return new Promise((start, refuse) => {
      const line = lines.get(turn.from) ?? []
      line.push({ ...turn, start, refuse })
      lines.set(turn.from, line)
      waiting += 1
    })
  }

  return {
    async run(turn, task) {
      if (running < concurrency && isFree(turn)) begin(turn)
      else await wait(turn)
      try {
        return await task()
      } finally {
        end(turn)
      }
    },
  }
}
