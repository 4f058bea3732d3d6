/**
 * Encodes arrays in PostgreSQL's binary format (`array_recv`), which the driver passes on as a Buffer. As
 * text, thousands of elements would be quoted here and parsed there, which takes longer than storing them.
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
/** PostgreSQL counts time from 2000-01-01. */
const EPOCH_MS = Date.UTC(2000, 0, 1)
const EPOCH_DAY = EPOCH_MS / MS_PER_DAY
/** The bytes of a UTF-16 unit in UTF-8, at most. */
const UTF8_BYTES_PER_UNIT = 3

/** Encodes a `text[]`, for a parameter with a cast in the statement. */
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

/** Encodes a `bytea[]`. */
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

/** Encodes an `int4[]`. */
export const int4Array = (values: readonly number[]): Buffer =>
  fixedArray(OID.int4, FOUR, values, (bytes, value, at) => bytes.writeInt32BE(value, at))

/** Encodes an `int8[]` of safe integers. */
export const int8Array = (values: readonly number[]): Buffer =>
  fixedArray(OID.int8, EIGHT, values, writeInt64)

/** Encodes a `float8[]`. */
export const float8Array = (values: readonly (number | null)[]): Buffer =>
  fixedArray(OID.float8, EIGHT, values, (bytes, value, at) => bytes.writeDoubleBE(value, at))

/** Encodes a `date[]` from days since 1970-01-01. */
export const dateArray = (days: readonly number[]): Buffer =>
  fixedArray(OID.date, FOUR, days, (bytes, day, at) => bytes.writeInt32BE(day - EPOCH_DAY, at))

/** Encodes a `timestamptz[]` from milliseconds since 1970-01-01. */
export const timestamptzArray = (instants: readonly number[]): Buffer =>
  fixedArray(OID.timestamptz, EIGHT, instants, (bytes, ms, at) => {
    const microseconds = (ms - EPOCH_MS) * MICROSECONDS_PER_MS
    if (Number.isSafeInteger(microseconds)) writeInt64(bytes, microseconds, at)
    // A double is exact only until about 285 years after 2000.
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

/** Writes the header of one dimension from index 1. The flag for nulls allows them, but requires none. */
function startArray(oid: number, length: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size)
  bytes.writeInt32BE(1, 0)
  bytes.writeInt32BE(1, 4)
  bytes.writeInt32BE(oid, 8)
  bytes.writeInt32BE(length, 12)
  bytes.writeInt32BE(1, 16)
  return bytes
}

/** Writes an integer in two halves: `writeBigInt64BE` would allocate an object for each number. */
function writeInt64(bytes: Buffer, value: number, at: number): void {
  const high = Math.floor(value / TWO_TO_32)
  bytes.writeInt32BE(high, at)
  bytes.writeUInt32BE(value - high * TWO_TO_32, at + FOUR)
}
