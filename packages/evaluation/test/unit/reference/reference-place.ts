import { createHash } from 'node:crypto'
import type { Hash } from '../../../src/index.ts'
import { referenceMurmur3 } from './reference-murmur3.ts'

const UNLEASH_SEED = 86_028_157

/**
 * The place of a user by the hash of another service; null where Burgee's own hash decides.
 *
 * @param total The sum of the weights; undefined for a rollout.
 */
export function referencePlace(hash: Hash, salt: string, key: string, total?: number): number | null {
  switch (hash) {
    case 'launchdarkly':
      return Number(BigInt(`0x${sha1(salt + key).slice(0, 15)}`)) / Number(16n ** 15n - 1n)
    case 'configcat':
      return Number(BigInt(`0x${sha1(salt + key).slice(0, 7)}`) % 100n) / 100
    case 'growthbook_1':
      return Number(fnv1a(key + salt) % 1000n) / 1000
    case 'growthbook_2':
      return Number(fnv1a(`${fnv1a(salt + key)}`) % 10_000n) / 10_000
    case 'unleash_variant':
      return total === undefined ? null : (referenceMurmur3(salt + key, UNLEASH_SEED) % total) / total
    case 'go_feature_flag':
      return total === undefined ? null : Number(fnv1a(salt + key) % BigInt(total)) / total
    case 'murmur3':
      return null
  }
}

const sha1 = (text: string) => createHash('sha1').update(text, 'utf8').digest('hex')

function fnv1a(text: string): bigint {
  let hash = 0x811c9dc5n
  for (const byte of new TextEncoder().encode(text)) hash = ((hash ^ BigInt(byte)) * 0x01000193n) % 2n ** 32n
  return hash
}
