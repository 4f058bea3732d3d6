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
  readonly is_relief: boolean
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
  { growth, is_relief, stored_bytes }: StoredUse,
  quota_bytes: number | undefined,
): void {
  if (quota_bytes === undefined || stored_bytes <= quota_bytes) return
  if (growth <= GROWTH_FREE_BYTES && is_relief) return
  const reserve = Math.max(quota_bytes * RESERVE_SHARE, RESERVE_MIN_BYTES)
  if (growth <= GROWTH_FREE_BYTES && stored_bytes <= quota_bytes + reserve) return
  throw invalid([{ path: '', message: describe(stored_bytes, quota_bytes) }])
}

const describe = (stored_bytes: number, quota_bytes: number): string =>
  `This environment would store ${inMegabytes(stored_bytes)} MB; its quota is ${inMegabytes(quota_bytes)} MB. ` +
  'Raise ENVIRONMENT_QUOTA_MB, or let AUDIT_RETENTION_DAYS remove old months of the audit log. ' +
  'Flags can be switched off, archived and deleted all the same.'

const inMegabytes = (bytes: number): string => Math.ceil(bytes / MIB).toLocaleString('en-US')
