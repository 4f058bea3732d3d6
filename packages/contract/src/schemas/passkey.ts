import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { PASSKEY_NAME_MAX_LENGTH, PASSKEY_TEXT_MAX_LENGTH, PASSKEY_TRANSPORTS_MAX } from '../limits.ts'
import { CreatedAt, integerId, Nullable, plainName, timestamp } from './common.ts'

const { assertion, attestation, challenge, passkey, userHandle } = EXAMPLE_SHOP.passkey
const { email, name: userName } = EXAMPLE_SHOP.current_user

/** Returns a field in base64url. Any text is valid input, so that a malformed one counts as wrong. */
const encoded = (description: string) =>
  Type.String({ maxLength: PASSKEY_TEXT_MAX_LENGTH, description, writeOnly: true })
const credentialFields = {
  id: encoded('The id of the credential, in base64url'),
  rawId: encoded('The same as `id`'),
  type: encoded('`public-key`'),
}

/** A passkey of an account, as its user sees it. */
export const Passkey = Type.Object(
  {
    id: integerId({ description: 'Names the passkey in paths', readOnly: true }),
    name: Type.String(),
    created_at: CreatedAt,
    last_used_at: Nullable(
      timestamp({ description: 'The time of its last use, UTC; null before the first', readOnly: true }),
    ),
  },
  { examples: [passkey] },
)
export type Passkey = Static<typeof Passkey>

const passkeyName = plainName(PASSKEY_NAME_MAX_LENGTH, { description: 'The display name; not blank' })

export const PasskeyPatch = Type.Object({ name: passkeyName }, { examples: [{ name: 'Security key' }] })

/** The result of `navigator.credentials.get`, as JSON (WebAuthn, AuthenticationResponseJSON). */
export const PasskeyAssertion = Type.Object(
  {
    ...credentialFields,
    response: Type.Object(
      {
        clientDataJSON: encoded('The data of the browser, with the challenge'),
        authenticatorData: encoded('What the authenticator reports of itself'),
        signature: encoded('The signature over both'),
        userHandle: Type.Optional(Nullable(encoded('The handle of the account'))),
      },
      { description: 'What the authenticator has signed' },
    ),
  },
  { description: 'The response of the browser to the options', examples: [assertion] },
)
export type PasskeyAssertion = Static<typeof PasskeyAssertion>

/** The result of `navigator.credentials.create`, as JSON (WebAuthn, RegistrationResponseJSON). */
export const PasskeyInput = Type.Object(
  {
    name: passkeyName,
    credential: Type.Object(
      {
        ...credentialFields,
        response: Type.Object(
          {
            clientDataJSON: encoded('The data of the browser, with the challenge'),
            attestationObject: encoded('The new public key'),
            transports: Type.Optional(
              Type.Array(encoded('A way to reach the authenticator'), {
                maxItems: PASSKEY_TRANSPORTS_MAX,
                description: 'The ways to reach the authenticator',
              }),
            ),
          },
          { description: 'What the authenticator has created' },
        ),
      },
      { description: 'The response of the browser to the options' },
    ),
  },
  { examples: [{ name: passkey.name, credential: attestation }] },
)
export type PasskeyInput = Static<typeof PasskeyInput>

/** The added passkey, with recovery codes where it is the first factor. */
export const AddedPasskey = Type.Object(
  {
    passkey: Passkey,
    recovery_codes: Type.Array(Type.String(), {
      description: 'New recovery codes. Empty where the account has some from an earlier factor',
    }),
  },
  { examples: [{ passkey, recovery_codes: [...EXAMPLE_SHOP.second_factor.recovery_codes] }] },
)

/** The purposes of a login with a passkey. */
const PASSKEY_PURPOSES = ['login', 'second_factor'] as const

export const PasskeyPurpose = Type.Object(
  {
    purpose: Type.Enum([...PASSKEY_PURPOSES], {
      description: '`login` without a password, or `second_factor` after the right one',
    }),
  },
  { examples: [{ purpose: 'login' }] },
)

export const PasskeyLogin = Type.Object({ passkey: PasskeyAssertion }, { examples: [{ passkey: assertion }] })

const Challenge = Type.String({ description: 'In base64url. It is valid for five minutes, and once' })
const Timeout = Type.Integer({ description: 'The milliseconds that the person has' })
const credentialType = () => Type.Literal('public-key', { description: 'The type of every passkey' })
const KnownCredential = Type.Object({
  id: Type.String({ description: 'The id of the credential, in base64url' }),
  type: credentialType(),
  transports: Type.Array(Type.String(), { description: 'The ways to reach the authenticator' }),
})
const userVerification = () =>
  Type.Literal('required', { description: 'The authenticator asks for a PIN, a finger or a face' })

/** The options of `navigator.credentials.get`, as JSON (WebAuthn, PublicKeyCredentialRequestOptionsJSON). */
export const PasskeyRequestOptions = Type.Object(
  {
    challenge: Challenge,
    rpId: Type.String({ description: 'The host name at which the passkeys are valid' }),
    timeout: Timeout,
    userVerification: userVerification(),
    allowCredentials: Type.Array(KnownCredential, {
      description: 'The passkeys of the account; empty for a login without a password',
    }),
  },
  {
    examples: [
      {
        challenge,
        rpId: 'flags.example.com',
        timeout: 300_000,
        userVerification: 'required',
        allowCredentials: [],
      },
    ],
  },
)
export type PasskeyRequestOptions = Static<typeof PasskeyRequestOptions>

/**
 * The options of `navigator.credentials.create`, as JSON (WebAuthn, PublicKeyCredentialCreationOptionsJSON).
 */
export const PasskeyCreationOptions = Type.Object(
  {
    challenge: Challenge,
    rp: Type.Object(
      {
        id: Type.String({ description: 'The host name at which the passkey is valid' }),
        name: Type.String({ description: 'The name of the service' }),
      },
      { description: 'The service' },
    ),
    user: Type.Object(
      {
        id: Type.String({
          description: 'The handle of the account, in base64url; it reveals nothing of the person',
        }),
        name: Type.String({ description: 'The e-mail address' }),
        displayName: Type.String({ description: 'The name of the person' }),
      },
      { description: 'The account' },
    ),
    pubKeyCredParams: Type.Array(
      Type.Object({
        type: credentialType(),
        alg: Type.Integer({ description: 'A COSE algorithm: -7 is ES256, -8 EdDSA, -257 RS256' }),
      }),
      { description: 'The kinds of keys that are accepted' },
    ),
    timeout: Timeout,
    excludeCredentials: Type.Array(KnownCredential, { description: 'The passkeys that the account has' }),
    authenticatorSelection: Type.Object(
      {
        residentKey: Type.Literal('required', {
          description: 'The authenticator finds the passkey without the name of the account',
        }),
        requireResidentKey: Type.Boolean({ description: 'The same for earlier browsers' }),
        userVerification: userVerification(),
      },
      { description: 'What the authenticator must be able to do' },
    ),
    attestation: Type.Literal('none', { description: 'The maker of the authenticator does not matter' }),
  },
  {
    examples: [
      {
        challenge,
        rp: { id: 'flags.example.com', name: 'Burgee' },
        user: { id: userHandle, name: email, displayName: userName },
        pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
        timeout: 300_000,
        excludeCredentials: [],
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        attestation: 'none',
      },
    ],
  },
)
export type PasskeyCreationOptions = Static<typeof PasskeyCreationOptions>
