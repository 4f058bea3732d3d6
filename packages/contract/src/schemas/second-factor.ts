import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { CODE_MAX_LENGTH } from '../limits.ts'
import { Nullable, timestamp } from './common.ts'
import { Passkey, PasskeyAssertion } from './passkey.ts'

/** The rule of the workspace about second factors. */
export const SECOND_FACTOR_POLICIES = ['optional', 'required'] as const

const { code, recovery_codes } = EXAMPLE_SHOP.second_factor

const totp = Type.String({
  maxLength: CODE_MAX_LENGTH,
  description: 'The six digits that the authenticator app shows; spaces are ignored',
  writeOnly: true,
})
const recovery_code = Type.String({
  maxLength: CODE_MAX_LENGTH,
  description: 'One of the recovery codes; hyphens, spaces and case are ignored. Each works once',
  writeOnly: true,
})

/** One proof of a second factor. Any text is valid input, so that a malformed code counts as a wrong one. */
export const proofFields = {
  totp: Type.Optional(totp),
  recovery_code: Type.Optional(recovery_code),
  passkey: Type.Optional(PasskeyAssertion),
}

export const SecondFactorProof = Type.Object(proofFields, {
  minProperties: 1,
  examples: [{ totp: code }],
})
export type SecondFactorProof = Static<typeof SecondFactorProof>

/** The second factors of an account, as its user sees them. */
export const SecondFactors = Type.Object(
  {
    totp: Nullable(
      Type.Object(
        { confirmed_at: timestamp({ description: 'The time of the first code' }) },
        { description: 'The authenticator app; null when there is none' },
      ),
    ),
    passkeys: Type.Array(Passkey, { description: 'The passkeys, the oldest first' }),
    recovery_codes_left: Type.Integer({ description: 'The recovery codes that were not used yet' }),
    is_required: Type.Boolean({ description: 'Whether the workspace requires a second factor' }),
    due_at: Nullable(
      timestamp({
        description:
          'The time after which the account can only add a second factor; null when it has one or needs none',
      }),
    ),
    reset_at: Nullable(
      timestamp({
        description: 'The time at which an admin removed the factors; null once there is one again',
      }),
    ),
  },
  {
    examples: [
      {
        totp: { confirmed_at: EXAMPLE_SHOP.at },
        passkeys: [EXAMPLE_SHOP.passkey.passkey],
        recovery_codes_left: recovery_codes.length,
        is_required: false,
        due_at: null,
        reset_at: null,
      },
    ],
  },
)
export type SecondFactors = Static<typeof SecondFactors>

/** A new secret for an authenticator app, which is shown once. */
export const NewTotp = Type.Object(
  {
    secret: Type.String({ description: 'In base32, to type into the app' }),
    otpauth_url: Type.String({ description: 'The same for a QR code' }),
  },
  { examples: [EXAMPLE_SHOP.second_factor.newTotp] },
)

export const TotpConfirmation = Type.Object({ code: totp }, { examples: [{ code }] })

/** Recovery codes, which are shown once. */
export const RecoveryCodes = Type.Object(
  {
    recovery_codes: Type.Array(Type.String(), {
      description: 'New recovery codes. Empty where the account has some from an earlier factor',
    }),
  },
  { examples: [{ recovery_codes: [...recovery_codes] }] },
)
