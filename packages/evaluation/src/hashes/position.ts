import type { Hash } from '../flag.ts'
import { MURMUR3_START, murmur3 } from '../murmur3.ts'
import { fnv1a } from './fnv1a.ts'
import { sha1 } from './sha1.ts'

/** Returns the place of a key between 0 and 1. */
export type Position = (key: string) => number

const RANGE = 2 ** 32
const UNLEASH_SEED = 86028157

/** murmur3 of salt and key, unsigned. The salt is hashed once. */
function hashAfter(salt: string, seed = 0): (key: string) => number {
  const state = murmur3(salt, { ...MURMUR3_START, hash: seed }, true)
  return (key) => murmur3(key, state) >>> 0
}

/** The first 60 bits, rounded to a double. */
const firstBits = (words: Int32Array): number =>
  ((words[0] as number) >>> 0) * 2 ** 28 + ((words[1] as number) >>> 4)

const share = (value: number, modulus: number) => (value % modulus) / modulus

/** The hashes that decide rollouts and variants alike (docs/reference/evaluation.md#extensions). */
const FOREIGN: Readonly<Partial<Record<Hash, (salt: string) => Position>>> = {
  // The divisor is 15 digits "f", which is this as a double.
  launchdarkly: (salt) => (key) => firstBits(sha1(salt + key)) / 2 ** 60,
  growthbook_1: (salt) => (key) => share(fnv1a(key + salt), 1000),
  growthbook_2: (salt) => (key) => share(fnv1a(String(fnv1a(salt + key))), 10_000),
  configcat: (salt) => (key) => share((sha1(salt + key)[0] as number) >>> 4, 100),
}

/** The number of positions of a hash that has few, in rollouts and variants alike. */
export const POSITIONS: Readonly<Partial<Record<Hash, number>>> = {
  growthbook_1: 1000,
  growthbook_2: 10_000,
  configcat: 100,
}

/**
 * Names the positions of a salt: divisions with the same name place every key alike.
 *
 * @param total The sum of the weights; null for a rollout.
 */
export function positionName(hash: Hash, total: number | null): string {
  if (Object.hasOwn(FOREIGN, hash)) return hash
  if (total === null) return 'rollout'
  return DIVIDING.includes(hash) ? `${hash} of ${total}` : 'variants'
}

/** The hashes whose positions of variants depend on the sum of the weights. */
const DIVIDING: readonly Hash[] = ['unleash_variant', 'go_feature_flag']

/** The position that a rollout compares with its share, in steps of a thousandth of a percent. */
export function rolloutPosition(hash: Hash, salt: string): Position {
  const hashOf = hashAfter(salt)
  return (
    FOREIGN[hash]?.(salt) ??
    ((key) => {
      const value = hashOf(key)
      return ((value % 100) * 1000 + (Math.floor(value / 100) % 1000)) / 100_000
    })
  )
}

/** @param total The sum of the weights, by which two of the services divide. */
export function variantPosition(hash: Hash, salt: string, total: number): Position {
  const hashOf = hashAfter(salt, hash === 'unleash_variant' ? UNLEASH_SEED : 0)
  if (hash === 'unleash_variant') return (key) => share(hashOf(key), total)
  if (hash === 'go_feature_flag') return (key) => share(fnv1a(salt + key), total)
  return FOREIGN[hash]?.(salt) ?? ((key) => hashOf(key) / RANGE)
}
