import { hash, keys } from './builders.mjs'

export const buckets = {
  about: 'bucket: murmur3_x86_32("<flag_key>:<user_key>") % 100; a user is inside a rollout above the bucket. variant_hash: murmur3_x86_32("variant:<flag_key>:<user_key>")',
  vectors: ['flag', 'new-checkout', 'dark_mode', 'F'].flatMap((flag_key) =>
    keys.map((user_key) => ({
      flag_key,
      user_key,
      bucket: hash(`${flag_key}:${user_key}`) % 100,
      variant_hash: hash(`variant:${flag_key}:${user_key}`),
    })),
  ),
}
