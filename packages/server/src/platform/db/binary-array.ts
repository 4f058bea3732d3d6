/**
 * Arrays in PostgreSQL's binary format (`array_recv`): the driver hands a Buffer on as it is. As text, thousands of elements would be
 * quoted here and parsed there, which takes longer than storing them.
 */
const OID = { bytea: 17, int8: 20, int4: 23, text: 25, float8: 701, date: 1082, timestamptz: 1184 } as const

const HEADER_BYTES = 20
const LENGTH_BYTES = 4
const NULL_LENGTH = -1
const EIGHT = 8
const FOUR = 4
const TWO_TO_32 = 2 ** 32
const MS_PER_DAY = 86_400_000
const MICROSECONDS_PER_MS = 1_000
/** PostgreSQL counts from 2000-01-01. */
const EPOCH_MS = Date.UTC(2000, 0, 1)
const EPOCH_DAY = EPOCH_MS / MS_PER_DAY
/** A character of UTF-16 takes at most so many bytes in UTF-8. */
const UTF8_BYTES_PER_UNIT = 3

/** `text[]`, for a parameter that the statement casts to it. */
export function textArray(values: readonly (string | null)[]): Buffer {
  let most = HEADER_BYTES
  for (const value of values) most += LENGTH_BYTES + (value === null ? 0 : value.length * UTF8_BYTES_PER_UNIT)
  const bytes = startArray(OID.text, values.length, most)
  let at = HEADER_BYTES
  for (const value of values) {
    const written = value === null ? NULL_LENGTH : bytes.write(value, at + LENGTH_BYTES, 'utf8')
    bytes.writeInt32BE(written, at)
    at += LENGTH_BYTES + Math.max(written, 0)
  }
  return bytes.subarray(0, at)
}

/** `bytea[]`. */
export function byteaArray(values: readonly Buffer[]): Buffer {
  const size = values.reduce((sum, { length }) => sum + LENGTH_BYTES + length, HEADER_BYTES)
  const bytes = startArray(OID.bytea, values.length, size)
  let at = HEADER_BYTES
  for (const value of values) {
    bytes.writeInt32BE(value.length, at)
    value.copy(bytes, at + LENGTH_BYTES)
    at += LENGTH_BYTES + value.length
  }
  return bytes
}

/** `int4[]`. */
export const int4Array = (values: readonly number[]): Buffer =>
  fixedArray(OID.int4, FOUR, values, (bytes, value, at) => bytes.writeInt32BE(value, at))

/** `int8[]` of safe integers. */
export const int8Array = (values: readonly number[]): Buffer =>
  fixedArray(OID.int8, EIGHT, values, writeInt64)

/** `float8[]`. */
export const float8Array = (values: readonly (number | null)[]): Buffer =>
  fixedArray(OID.float8, EIGHT, values, (bytes, value, at) => bytes.writeDoubleBE(value, at))

/** `date[]` of days since 1970-01-01. */
export const dateArray = (days: readonly number[]): Buffer =>
  fixedArray(OID.date, FOUR, days, (bytes, day, at) => bytes.writeInt32BE(day - EPOCH_DAY, at))

/** `timestamptz[]` of milliseconds since 1970-01-01. */
export const timestamptzArray = (instants: readonly number[]): Buffer =>
  fixedArray(OID.timestamptz, EIGHT, instants, (bytes, ms, at) => {
    const microseconds = (ms - EPOCH_MS) * MICROSECONDS_PER_MS
    if (Number.isSafeInteger(microseconds)) writeInt64(bytes, microseconds, at)
    // Some 285 years from 2000 on a double is no longer exact.
    else bytes.writeBigInt64BE(BigInt(ms - EPOCH_MS) * BigInt(MICROSECONDS_PER_MS), at)
  })

function fixedArray(
  oid: number,
  width: number,
  values: readonly (number | null)[],
  write: (bytes: Buffer, value: number, at: number) => void,
): Buffer {
  const bytes = startArray(oid, values.length, HEADER_BYTES + values.length * (LENGTH_BYTES + width))
  let at = HEADER_BYTES
  for (const value of values) {
    bytes.writeInt32BE(value === null ? NULL_LENGTH : width, at)
    at += LENGTH_BYTES
    if (value === null) continue
    write(bytes, value, at)
    at += width
  }
  return bytes.subarray(0, at)
}

/** One dimension that begins at 1; that there may be nulls is no promise that there are. */
function startArray(oid: number, length: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size)
  bytes.writeInt32BE(1, 0)
  bytes.writeInt32BE(1, 4)
  bytes.writeInt32BE(oid, 8)
  bytes.writeInt32BE(length, 12)
  bytes.writeInt32BE(1, 16)
  return bytes
}

/** `writeBigInt64BE` would make an object of each number. */
function writeInt64(bytes: Buffer, value: number, at: number): void {
  const high = Math.floor(value / TWO_TO_32)
  bytes.writeInt32BE(high, at)
  bytes.writeUInt32BE(value - high * TWO_TO_32, at + FOUR)
}
