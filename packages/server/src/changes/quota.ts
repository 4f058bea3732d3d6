import { invalid } from '../kernel/refusal.ts'

const MIB = 1024 * 1024
/** Beyond the quota, for what makes nothing larger: a flag is switched off, archived or deleted also then. */
const RESERVE_SHARE = 0.1
const RESERVE_MIN_BYTES = 64 * MIB
/** What a switch or a changed percentage may add to the text of a flag. */
const GROWTH_FREE_BYTES = 1024

interface StoredUse {
  /** What the environment stores with the write. */
  readonly stored_bytes: number
  /** By how much the write makes the resource larger. */
  readonly growth: number
}

/** Refuses with `invalid` when an environment stores more than its quota. Writes that make nothing larger have a reserve. */
export function requireRoom({ growth, stored_bytes }: StoredUse, quota_bytes: number | undefined): void {
  if (quota_bytes === undefined || stored_bytes <= quota_bytes) return
  const reserve = Math.max(quota_bytes * RESERVE_SHARE, RESERVE_MIN_BYTES)
  if (growth <= GROWTH_FREE_BYTES && stored_bytes <= quota_bytes + reserve) return
  throw invalid([{ path: '', message: describe(stored_bytes, quota_bytes) }])
}

const describe = (stored_bytes: number, quota_bytes: number): string =>
  `This environment would store ${inMegabytes(stored_bytes)} MB; its quota is ${inMegabytes(quota_bytes)} MB. ` +
  'Raise ENVIRONMENT_QUOTA_MB, or let AUDIT_RETENTION_DAYS remove old months of the audit log. ' +
  'Until then flags can be switched, archived and deleted.'

const inMegabytes = (bytes: number): string => Math.ceil(bytes / MIB).toLocaleString('en-US')
