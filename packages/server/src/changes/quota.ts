import { invalid } from '../kernel/refusal.ts'
import type { AuditEntry } from './audit-entry.ts'

const MIB = 1024 * 1024
/** Beyond the quota, for what makes nothing larger. */
const RESERVE_SHARE = 0.1
const RESERVE_MIN_BYTES = 64 * MIB
/** What a switch or a changed percentage may add to the text of a flag. */
const GROWTH_FREE_BYTES = 1024

interface StoredUse {
  /** What the environment stores with the write. */
  readonly stored_bytes: number
  /** By how much the write makes the resource larger. */
  readonly growth: number
  /** Whether it switches off, archives or deletes. */
  readonly isRelief: boolean
}

/** Each thing can be switched off, archived and deleted once before it has to be switched on or created again. */
export function isRelief({
  action,
  after,
  before,
}: Pick<AuditEntry, 'action' | 'before' | 'after'>): boolean {
  return action === 'delete' || action === 'archive' || (isOn(before) && isOff(after))
}

const isOn = (resource: object | null) =>
  resource !== null && 'is_enabled' in resource && resource.is_enabled === true
const isOff = (resource: object | null) =>
  resource !== null && 'is_enabled' in resource && resource.is_enabled === false

/**
 * Refuses with `invalid` when an environment stores more than its quota. Writes that make nothing larger have a reserve; switching off,
 * archiving and deleting have no end.
 */
export function requireRoom(
  { growth, isRelief, stored_bytes }: StoredUse,
  quotaBytes: number | undefined,
): void {
  if (quotaBytes === undefined || stored_bytes <= quotaBytes) return
  if (growth <= GROWTH_FREE_BYTES && isRelief) return
  const reserve = Math.max(quotaBytes * RESERVE_SHARE, RESERVE_MIN_BYTES)
  if (growth <= GROWTH_FREE_BYTES && stored_bytes <= quotaBytes + reserve) return
  throw invalid([{ path: '', message: describe(stored_bytes, quotaBytes) }])
}

const describe = (stored_bytes: number, quotaBytes: number): string =>
  `This environment would store ${inMegabytes(stored_bytes)} MB; its quota is ${inMegabytes(quotaBytes)} MB. ` +
  'Raise ENVIRONMENT_QUOTA_MB, or let AUDIT_RETENTION_DAYS remove old months of the audit log. ' +
  'Flags can be switched off, archived and deleted all the same.'

const inMegabytes = (bytes: number): string => Math.ceil(bytes / MIB).toLocaleString('en-US')
