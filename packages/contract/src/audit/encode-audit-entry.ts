/** The fields of an audit entry that its hash covers, as texts. */
export interface HashedEntry {
  readonly id: number
  readonly chain: string | null
  readonly seq: number | null
  readonly project_id: string | null
  readonly environment_id: string | null
  readonly flag_key: string
  readonly actor_email: string
  readonly action: string
  /** JSON texts as they are stored. */
  readonly before_data: string | null
  readonly after_data: string | null
  readonly metadata: string | null
  /** The time with microseconds, such as `2026-01-12T09:30:00.000000Z`. */
  readonly created_at: string
}

const LENGTH_BYTES = 4
const NULL_LENGTH = 0xffffffff

/** A platform's encoding of a text as UTF-8. */
type ToUtf8 = (text: string) => Uint8Array

/** Returns the bytes of an entry that follow the previous hash (docs/trust.md#the-audit-log). */
export const encodeAuditEntry = (entry: HashedEntry, toUtf8: ToUtf8): Uint8Array =>
  encodeAuditFields(
    FIELDS.map((name) => {
      const value = entry[name]
      return value === null ? null : String(value)
    }),
    toUtf8,
  )

/** Returns the bytes of fields: each as its length in 4 bytes and its UTF-8, `ffffffff` for null. */
export function encodeAuditFields(values: readonly (string | null)[], toUtf8: ToUtf8): Uint8Array {
  const fields = values.map((value) => (value === null ? null : toUtf8(value)))
  const size = fields.reduce((sum, field) => sum + LENGTH_BYTES + (field?.length ?? 0), 0)
  const bytes = new Uint8Array(size)
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const field of fields) {
    view.setUint32(at, field?.length ?? NULL_LENGTH)
    at += LENGTH_BYTES
    if (field === null) continue
    bytes.set(field, at)
    at += field.length
  }
  return bytes
}

const FIELDS = [
  'id',
  'chain',
  'seq',
  'project_id',
  'environment_id',
  'flag_key',
  'actor_email',
  'action',
  'before_data',
  'after_data',
  'metadata',
  'created_at',
] as const satisfies readonly (keyof HashedEntry)[]
