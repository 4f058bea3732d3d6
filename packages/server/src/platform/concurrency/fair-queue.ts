import { unavailable } from '../../kernel/refusal.ts'

export interface Turn {
  /** The address of the caller, as rate limits count it. */
  readonly from: string
  /** The account. Tasks of one account never run concurrently. */
  readonly account?: string
}

/**
 * Runs a bounded number of tasks concurrently. The address with the fewest turns since others wait is next,
 * so an address with one task does not wait for those with many.
 */
export interface FairQueue {
  /** Settles as the task does. Refuses with `unavailable` when too many tasks wait. */
  run<T>(turn: Turn, task: () => Promise<T>): Promise<T>
}

interface Waiting extends Turn {
  readonly start: () => void
  readonly refuse: (error: Error) => void
}

interface Limits {
  /** The number of concurrent tasks. */
  readonly concurrency: number
  /** The number of waiting tasks of all addresses. */
  readonly waitingMax: number
  /** The number of waiting tasks of one address; without it an address may have all. */
  readonly waitingOfOneMax?: number
  /** The message for refused callers. */
  readonly message: string
}

const RETRY_AFTER_SECONDS = 5
/** The number of addresses whose turns are counted. */
const COUNTED_MAX = 10_000

/**
 * Creates the queue. When it is full, the newest task of the address with the most waiting tasks is refused:
 * an address that floods the queue displaces only itself, and a waiting task is never refused for one of an
 * address with as many.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose functions share one state
export function createFairQueue(limits: Limits): FairQueue {
  const { concurrency, message, waitingMax, waitingOfOneMax = waitingMax } = limits
  /** Waiting tasks by address, in the order of their turns. */
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

  /**
   * Returns the address with the fewest turns among those whose next task can start; of several, the one that
   * waits longest.
   */
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
    // Moves it behind those with as many turns.
    lines.delete(from)
    if (line.length > 0) lines.set(from, line)
    waiting -= 1
    countTurn(from)
    return next
  }

  /** Counts a turn. When nothing waits, turns need no order, and counting restarts. */
  function countTurn(from: string): void {
    if (lines.size === 0 || turns.size >= COUNTED_MAX) turns.clear()
    else turns.set(from, (turns.get(from) ?? 0) + 1)
  }

  function makeRoom(from: string): void {
    if ((lines.get(from)?.length ?? 0) >= waitingOfOneMax) throw refusal()
    if (waiting < waitingMax) return
    let longest: Waiting[] = []
    for (const line of lines.values()) if (line.length > longest.length) longest = line
    const withNewcomer = (lines.get(from)?.length ?? 0) + 1
    if (longest.length <= withNewcomer) throw refusal()
    // At least one task remains, so no line is ever empty.
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
