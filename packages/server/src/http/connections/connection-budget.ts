/** How many connections the process keeps open. */
export interface ConnectionBudget {
  /** Up to here every request is served. */
  readonly ordinary: number
  /** From `ordinary` up to here only health, readiness and metrics are served; beyond it connections are closed. */
  readonly total: number
}

/** Beyond this many connections memory is the limit rather than descriptors; `MAX_CONNECTIONS` may say more. */
const DEFAULT_MAX = 100_000
/** Descriptors for files, the bus and Node itself; the database pool and outbound connections come on top. */
const OTHER_FILES = 128
const RESERVE = 32
/** The part of the descriptors that outbound connections may take. */
const OUTBOUND_SHARE = 0.25
/** With few descriptors the reserve is at most this part of the connections. */
const RESERVE_SHARE = 0.25

export function connectionBudget(limits: {
  /** What the operating system allows; null: nothing. */
  readonly openFiles: number | null
  /** `MAX_CONNECTIONS`; null: from the descriptors. */
  readonly configured: number | null
  readonly databaseConnections: number
  readonly outboundConnections: number
}): ConnectionBudget {
  const { configured, databaseConnections, openFiles, outboundConnections } = limits
  const others = OTHER_FILES + databaseConnections + outboundConnections
  const room = openFiles === null ? Number.POSITIVE_INFINITY : roomFor(openFiles, others)
  const wanted = configured === null ? DEFAULT_MAX : configured + RESERVE
  const total = Math.min(wanted, room)
  const reserve = Math.min(RESERVE, Math.ceil(total * RESERVE_SHARE))
  return { ordinary: Math.min(configured ?? total, total - reserve), total }
}

/** Never less than half of the descriptors: a machine with very few of them still serves. */
const roomFor = (openFiles: number, others: number): number =>
  Math.max(openFiles - others, Math.floor(openFiles / 2))

/** How many outbound connections may be open at once, of those that are wanted. */
export const boundOutbound = (openFiles: number | null, wanted: number): number =>
  openFiles === null ? wanted : Math.min(wanted, Math.ceil(openFiles * OUTBOUND_SHARE))
