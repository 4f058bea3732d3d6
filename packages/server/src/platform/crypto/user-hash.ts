import { reportHash } from './report-hash.ts'
import { BLOCK_WORDS, compressBlock, initialState, newSchedule } from './sha256-block.ts'

/**
 * Hashes the user ids of reports with a key, so that a copy of the database does not reveal whose reports it
 * has.
 */
export type HashUser = (user_id: string) => Buffer

const BLOCK_BYTES = 64
const WORD_BYTES = 4
const INNER_PAD = 0x36
const OUTER_PAD = 0x5c
/** The bytes of the plain input hash and of the keyed result. */
const HASH_BYTES = 16
const DIGEST_BYTES = 32
const BITS_PER_BYTE = 8
/** The bit after the message in its last block. */
const END_OF_MESSAGE = 0x80 << 24

/**
 * Creates the hash: the first 16 bytes of HMAC-SHA-256 (RFC 2104) of `reportHash(user_id)`. Both padded keys
 * are one block of SHA-256, computed once; a user then costs two more blocks.
 */
export function createHashUser(key: Uint8Array): HashUser {
  const { inner, outer } = paddedKeys(key)
  const schedule = newSchedule()
  const innerState = stateAfter(inner, schedule)
  const outerState = stateAfter(outer, schedule)
  const state = initialState()
  return (user_id) => {
    const hash = reportHash(user_id)
    state.set(innerState)
    for (let at = 0; at < HASH_BYTES / WORD_BYTES; at += 1) schedule[at] = hash.readInt32BE(at * WORD_BYTES)
    endBlock(schedule, HASH_BYTES)
    compressBlock(state, schedule)
    schedule.set(state)
    state.set(outerState)
    endBlock(schedule, DIGEST_BYTES)
    compressBlock(state, schedule)
    for (let at = 0; at < HASH_BYTES / WORD_BYTES; at += 1) hash.writeInt32BE(state[at] ?? 0, at * WORD_BYTES)
    return hash
  }
}

/** Returns the key padded for the inner and the outer hash (RFC 2104), for the same computation in SQL. */
export function paddedKeys(key: Uint8Array): { readonly inner: Buffer; readonly outer: Buffer } {
  const pad = (byte: number) => Buffer.alloc(BLOCK_BYTES, byte).map((value, at) => value ^ (key[at] ?? 0))
  return { inner: Buffer.from(pad(INNER_PAD)), outer: Buffer.from(pad(OUTER_PAD)) }
}

function stateAfter(block: Buffer, schedule: Int32Array): Int32Array {
  const state = initialState()
  for (let at = 0; at < BLOCK_WORDS; at += 1) schedule[at] = block.readInt32BE(at * WORD_BYTES)
  compressBlock(state, schedule)
  return state
}

/** Pads the message, whose last `bytes` are the first of this block, after one block of key. */
function endBlock(schedule: Int32Array, bytes: number): void {
  const end = bytes / WORD_BYTES
  schedule[end] = END_OF_MESSAGE
  schedule.fill(0, end + 1, BLOCK_WORDS)
  schedule[BLOCK_WORDS - 1] = (BLOCK_BYTES + bytes) * BITS_PER_BYTE
}
