/** The numbers of connections that the process keeps open. */
export interface ConnectionBudget {
  /** Up to this number every request is served. */
  readonly ordinary: number
  /**
   * From `ordinary` to this number only health, readiness and metrics are served. Further connections are
   * closed.
   */
  readonly total: number
}

/**
 * The default limit. Beyond it memory is the bound rather than descriptors; `MAX_CONNECTIONS` can raise it.
 */
const DEFAULT_MAX = 100_000
/**
 * The descriptors for files, the bus and Node itself. The database pool and outgoing connections are counted
 * separately.
 */
const OTHER_FILES = 128
const RESERVE = 32
/** The share of descriptors for outgoing connections. */
const OUTBOUND_SHARE = 0.25
/** The largest share of the reserve, which matters with few descriptors. */
const RESERVE_SHARE = 0.25

export function connectionBudget(limits: {
  /** The limit of the operating system; null when there is none. */
  readonly openFiles: number | null
  /** `MAX_CONNECTIONS`; null for a number from the descriptors. */
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

/**
 * Returns the number of connections, at least half of the descriptors, so that a machine with few of them can
 * serve.
 */
const roomFor = (openFiles: number, others: number): number =>
  Math.max(openFiles - others, Math.floor(openFiles / 2))

/** Returns the number of concurrent outgoing connections, at most the wanted one. */
export const boundOutbound = (openFiles: number | null, wanted: number): number =>
  openFiles === null ? wanted : Math.min(wanted, Math.ceil(openFiles * OUTBOUND_SHARE))
