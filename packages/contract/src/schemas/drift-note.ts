import { type Static, Type } from 'typebox'
import { DRIFT_REASON_MAX_LENGTH, NAME_MAX_LENGTH, OWNER_EMAIL_MAX_LENGTH } from '../limits.ts'
import { CreatedAt, key, Nullable, timestamp } from './common.ts'

const EXAMPLE = {
  source: 'staging',
  target: 'production',
  reason: 'The trial runs in staging until the end of March',
  owner_email: 'grace@example.com',
}

const place = (description: string) => Type.String({ minLength: 1, maxLength: NAME_MAX_LENGTH, description })
const fields = {
  source: place('The slug or the id of one environment'),
  target: place('That of the other environment; the order does not matter'),
  reason: Type.String({
    minLength: 1,
    maxLength: DRIFT_REASON_MAX_LENGTH,
    pattern: '\\S',
    description: 'Why the flag differs',
  }),
  owner_email: Type.String({
    minLength: 1,
    maxLength: OWNER_EMAIL_MAX_LENGTH,
    format: 'plain-email',
    description: 'The e-mail of the person who is responsible for it',
  }),
}

/** Why a flag is meant to differ between two environments. */
export const DriftNoteInput = Type.Object(
  {
    ...fields,
    expires_at: Type.Optional(
      Nullable(timestamp({ description: 'When it ends, RFC 3339; null or absent for never' })),
    ),
  },
  { examples: [EXAMPLE] },
)
export type DriftNoteInput = Static<typeof DriftNoteInput>

export const DriftNote = Type.Object(
  {
    flag_key: key({ description: 'The flag' }),
    ...fields,
    expires_at: Nullable(timestamp({ description: 'When it ends; null for never' })),
    created_by: Type.String({ description: 'Its author', readOnly: true }),
    created_at: CreatedAt,
  },
  {
    examples: [
      {
        flag_key: 'new-checkout',
        ...EXAMPLE,
        expires_at: null,
        created_by: 'grace@example.com',
        created_at: '2026-02-11T10:00:00.000Z',
      },
    ],
  },
)
export type DriftNote = Static<typeof DriftNote>
