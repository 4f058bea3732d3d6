import { HASHES } from '@burgee/evaluation'
import { Type } from 'typebox'
import {
  BUCKET_BY_MAX_LENGTH,
  ROLLOUT_PERCENTAGE_MAX,
  ROLLOUT_THOUSANDTHS_MAX,
  SALT_MAX_LENGTH,
} from '../limits.ts'

const HASH_NOTES = {
  description:
    'The function that divides users, as another service computes it; `murmur3`, the default, is never shown',
}
const [MURMUR3, ...OTHER_HASHES] = HASHES

/** The fields of a flag or rule that decide where a user is in a rollout or among variants. */
export const bucketing = {
  bucket_by: Type.String({
    minLength: 1,
    maxLength: BUCKET_BY_MAX_LENGTH,
    description:
      'The attribute that is hashed instead of the user key; without it a user counts as anonymous',
  }),
  rollout_salt: Type.String({
    maxLength: SALT_MAX_LENGTH,
    description:
      'The text that is hashed before the key for the rollout, instead of the flag key and a colon',
  }),
  variant_salt: Type.String({
    maxLength: SALT_MAX_LENGTH,
    description:
      'The text that is hashed before the key for variants, instead of `variant:`, the flag key and a colon',
  }),
  hash: Type.Enum([...OTHER_HASHES], HASH_NOTES),
  hashInput: Type.Enum([MURMUR3, ...OTHER_HASHES], HASH_NOTES),
}

export const rolloutPercentage = (description: string) =>
  Type.Integer({ minimum: 0, maximum: ROLLOUT_PERCENTAGE_MAX, description })

export const rolloutThousandths = (description: string) =>
  Type.Integer({ minimum: 0, maximum: ROLLOUT_THOUSANDTHS_MAX, description })
