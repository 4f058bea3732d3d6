import { invalid } from '../kernel/refusal.ts'
import type { AuditEntry } from './audit-entry.ts'

const MIB = 1024 * 1024
/** The share beyond the quota for writes that do not add data. */
const RESERVE_SHARE = 0.1
const RESERVE_MIN_BYTES = 64 * MIB
/** The bytes that a switch or a changed percentage may add to a flag. */
const GROWTH_FREE_BYTES = 1024

interface StoredUse {
  /** The bytes that the environment stores with the write. */
  readonly stored_bytes: number
  /** The bytes that the write adds to the resource. */
  readonly growth: number
  /** True when the write disables, archives or deletes. */
  readonly isRelief: boolean
}

/**
 * Returns whether a write disables, archives or deletes. Each thing allows this once before it is enabled or
 * created again.
 */
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
 * Refuses with `invalid` when an environment stores more than its quota. Writes that do not add data have a
 * reserve; disabling, archiving and deleting always pass.
 */
export function requireQuota(
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
  'Raise ENVIRONMENT_QUOTA_MB, or let AUDIT_RETENTION_DAYS and HISTORY_RETENTION_DAYS remove what is old. ' +
  'Flags can still be disabled, archived and deleted.'

const inMegabytes = (bytes: number): string => Math.ceil(bytes / MIB).toLocaleString('en-US')
