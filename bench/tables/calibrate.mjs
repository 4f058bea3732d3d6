import { openBareStatements } from '../harness/bare-statements.mjs'
import { monotonicMs } from '../harness/monotonic-ms.mjs'

const STATEMENTS_MS = 3_000
const TEXT = 'abcdefghijklmnopqrstuvwxyz0123456789'
const LOOPS = 1_000_000
const ROUNDS = 5
const NS_PER_MS = 1e6

/**
 * Measures how fast the machine is at the moment: transactions of bare statements a second on one connection,
 * and the nanoseconds of one loop that hashes 36 characters, the least of five rounds.
 */
export async function calibrate(postgres) {
  const bare = await openBareStatements(await postgres.createDatabase(), 1)
  const statements = await bare.measure(STATEMENTS_MS).finally(bare.close)
  return { statements, hashNs: Math.min(...Array.from({ length: ROUNDS }, measureHash)) }
}

function measureHash() {
  const startedAt = monotonicMs()
  let hash = 0
  for (let loop = 0; loop < LOOPS; loop++) hash ^= fnv1a(TEXT, loop)
  const took_ms = monotonicMs() - startedAt
  // The result is used, so that no engine can leave the loop out.
  return (took_ms / LOOPS) * NS_PER_MS + (hash === 0 ? 1e-9 : 0)
}

function fnv1a(text, seed) {
  let hash = 0x811c9dc5 ^ seed
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}
