import { AUDIT_GROUPS, type EndpointInput } from '@burgee/contract'

/**
 * The filters of the address. Empty fields do not filter. Dates are days in the reader's time zone,
 * `YYYY-MM-DD`.
 */
export interface AuditFilter {
  /** A time that ends now: `hour`, `today` or `week`. It replaces `from` and `to`. */
  readonly when: string
  readonly flag_key: string
  readonly actor: string
  readonly action: string
  readonly from: string
  readonly to: string
}

export const NO_FILTER: AuditFilter = { flag_key: '', actor: '', action: '', when: '', from: '', to: '' }

/** The whole address: the filters, and whether the whole project's log is shown. */
export type AuditState = AuditFilter & { readonly scope: string }

export type AuditQuery = NonNullable<EndpointInput<'listProjectAudit'>['query']>
export type WorkspaceAuditQuery = NonNullable<EndpointInput<'listWorkspaceAudit'>['query']>

/** The filters of the workspace's log, as its address has them. */
export interface WorkspaceAuditFilter extends AuditFilter {
  readonly project_id: string
  readonly group: string
  /** A kind of credential, or one credential: `sdk_key:7`. */
  readonly credential: string
}

export const NO_WORKSPACE_FILTER: WorkspaceAuditFilter = {
  ...NO_FILTER,
  ...{ project_id: '', group: '', credential: '' },
}

/** Reads the id of a single entry from the address; null without one. */
export const readEntryId = (text: string): number | null =>
  /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null

/** The actions that the list of actions offers beside those of the log: an update that switches a flag. */
const SWITCHES = { switched_on: 'on', switched_off: 'off' } as const

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The filter as the endpoint takes it. A last day counts until its end. */
export function toAuditQuery(filter: AuditFilter, environment_id: string | null, nowMs: number): AuditQuery {
  const recent = startOfRecent(filter.when, nowMs)
  const from = recent ?? startOfDay(filter.from, 0)
  const to = recent ? null : startOfDay(filter.to, 1)
  const flag_key = filter.flag_key.trim()
  const actor = filter.actor.trim()
  return {
    ...(environment_id !== null && { environment_id }),
    ...(flag_key !== '' && { flag_key }),
    ...(actor !== '' && { actor }),
    ...actionQuery(filter.action),
    ...(from !== null && { from: from.toISOString() }),
    // Both ends count, so the last instant of the day and not the first of the next.
    ...(to !== null && { to: new Date(to.getTime() - 1).toISOString() }),
  }
}

/** The same for the workspace's log. */
export function toWorkspaceQuery(filter: WorkspaceAuditFilter, nowMs: number): WorkspaceAuditQuery {
  const group = AUDIT_GROUPS.find((known) => known === filter.group)
  const credential = filter.credential.trim()
  return {
    ...toAuditQuery(filter, null, nowMs),
    ...(UUID.test(filter.project_id) && { project_id: filter.project_id }),
    ...(group !== undefined && { group }),
    ...(credential !== '' && { credential }),
  }
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The number of filters that are set. */
export const countFilters = (filter: AuditFilter | WorkspaceAuditFilter): number =>
  Object.keys({ ...NO_WORKSPACE_FILTER }).filter((name) => textOf(filter, name).trim() !== '').length

const textOf = (filter: object, name: string): string => {
  const value = new Map<string, unknown>(Object.entries(filter)).get(name)
  return typeof value === 'string' ? value : ''
}

const actionQuery = (action: string): AuditQuery => {
  if (action === '') return {}
  return action in SWITCHES ? { switched: SWITCHES[action as keyof typeof SWITCHES] } : { action }
}

/**
 * Rounds to the minute, so that the same query has the same response in the cache. Null for a time that does
 * not exist.
 */
function startOfRecent(when: string, nowMs: number): Date | null {
  const minute = nowMs - (nowMs % MINUTE_MS)
  if (when === 'hour') return new Date(minute - HOUR_MS)
  if (when === 'week') return new Date(minute - 7 * DAY_MS)
  if (when !== 'today') return null
  const now = new Date(nowMs)
  return new Date(now.getFullYear(), now.getMonth(), now.getDate())
}

/** Midnight, local, `days` after the given day; null for what is no day. */
function startOfDay(day: string, days: number): Date | null {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)
  if (!parts) return null
  const date = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]) + days)
  return Number.isNaN(date.getTime()) ? null : date
}
