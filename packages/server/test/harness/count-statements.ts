import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { vi } from 'vitest'

/** A statement, with `+` in front where nothing was under way on its connection: it began a round trip. */
type Sketch = string

interface Counted {
  /** The transactions that the action has caused, each with its statements in order. */
  readonly transactions: readonly (readonly Sketch[])[]
  /** The statements outside of transactions that most actions sent, and that an idle server does not. */
  readonly others: readonly Sketch[]
}

/** The time in which an idle server is watched: it polls once a second. */
const IDLE_MS = 3_000

/**
 * Counts the statements of an action that is repeated, over all connections of this process. Its transactions
 * are those with a statement that contains `mark`.
 */
export async function countStatements(
  repetitions: number,
  mark: string,
  action: (nth: number) => Promise<void>,
): Promise<Counted> {
  const watch = watchStatements()
  try {
    await delay(IDLE_MS)
    const idle = new Set([...watch.byConnection.values()].flat())
    watch.byConnection.clear()
    for (let nth = 0; nth < repetitions; nth += 1) await action(nth)
    const split = [...watch.byConnection.values()].map(splitTransactions)
    const others = split.flatMap(({ single }) => single).filter((text) => !idle.has(text))
    const isFrequent = (text: string) => others.filter((other) => other === text).length >= repetitions / 4
    return {
      transactions: split
        .flatMap(({ transactions }) => transactions)
        .filter((statements) => statements.some((text) => text.includes(mark))),
      others: [...new Set(others)].filter(isFrequent),
    }
  } finally {
    watch.end()
  }
}

/** Records the statements of each connection, in order. */
function watchStatements() {
  const byConnection = new Map<object, Sketch[]>()
  const underWay = new WeakMap<object, number>()
  const query: (...args: unknown[]) => Promise<unknown> = pg.Client.prototype.query
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: object,
    ...args: unknown[]
  ) {
    const before = underWay.get(this) ?? 0
    underWay.set(this, before + 1)
    byConnection.set(this, [
      ...(byConnection.get(this) ?? []),
      `${before === 0 ? '+ ' : '  '}${textOf(args[0])}`,
    ])
    const end = () => void underWay.set(this, (underWay.get(this) ?? 1) - 1)
    const callback = args.at(-1)
    if (typeof callback === 'function') {
      const ending = (...results: unknown[]) => {
        end()
        callback(...results)
      }
      return Reflect.apply(query, this, [...args.slice(0, -1), ending])
    }
    const running = Reflect.apply(query, this, args)
    running.then(end, end)
    return running
  } as typeof pg.Client.prototype.query)
  return { byConnection, end: () => spy.mockRestore() }
}

function splitTransactions(statements: readonly Sketch[]) {
  const transactions: Sketch[][] = []
  const single: Sketch[] = []
  let open: Sketch[] | undefined
  for (const text of statements) {
    if (text.endsWith(' begin')) {
      open = []
      transactions.push(open)
    }
    const into = open ?? single
    into.push(text)
    if (/ (commit|rollback)$/.test(text)) open = undefined
  }
  return { transactions, single }
}

/** Returns the text of a statement, which the driver takes alone or with its values. */
const textOf = (statement: unknown): string => {
  const isConfig = typeof statement === 'object' && statement !== null && 'text' in statement
  return String(isConfig ? statement.text : statement)
    .replace(/\s+/g, ' ')
    .trim()
}
