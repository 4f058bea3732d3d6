import type { EndpointInput } from '../../shared/api/types.ts'

/** What the address says: empty fields do not filter. Dates are days in the reader's time zone, `YYYY-MM-DD`. */
export interface AuditFilter {
  readonly flag_key: string
  readonly actor: string
  readonly action: string
  readonly from: string
  readonly to: string
}

export type AuditQuery = NonNullable<EndpointInput<'listProjectAudit'>['query']>

/** The filter as the endpoint takes it. A last day counts until its end. */
export function toAuditQuery(filter: AuditFilter, environment_id: string | null): AuditQuery {
  const from = startOfDay(filter.from, 0)
  const to = startOfDay(filter.to, 1)
  const flag_key = filter.flag_key.trim()
  const actor = filter.actor.trim()
  return {
    ...(environment_id !== null && { environment_id }),
    ...(flag_key !== '' && { flag_key }),
    ...(actor !== '' && { actor }),
    ...(filter.action !== '' && { action: filter.action }),
    ...(from !== null && { from: from.toISOString() }),
    // Both ends count, so the last instant of the day and not the first of the next.
    ...(to !== null && { to: new Date(to.getTime() - 1).toISOString() }),
  }
}

export const hasFilter = ({ flag_key, actor, action, from, to }: AuditFilter): boolean =>
  [flag_key, actor, action, from, to].some((text) => text.trim() !== '')

/** Midnight, local, `days` after the given day; null for what is no day. */
function startOfDay(day: string, days: number): Date | null {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)
  if (!parts) return null
  const date = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]) + days)
  return Number.isNaN(date.getTime()) ? null : date
}
