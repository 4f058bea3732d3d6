import type {
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyInput,
  PasskeyRequestOptions,
} from '@burgee/contract'
import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
} from '@simplewebauthn/browser'
import { ApiError, messageOf } from '../../shared/api/api-error.ts'

/** Creates a passkey: the browser asks the person. */
export async function createPasskey(options: PasskeyCreationOptions): Promise<PasskeyInput['credential']> {
  const { id, rawId, response, type } = await startRegistration({ optionsJSON: options })
  const { attestationObject, clientDataJSON, transports = [] } = response
  return { id, rawId, type, response: { attestationObject, clientDataJSON, transports } }
}

/** Signs with a passkey: the browser asks the person, or offers it in a field that it fills in. */
export async function signWithPasskey(
  options: PasskeyRequestOptions,
  { isAutofill = false } = {},
): Promise<PasskeyAssertion> {
  const signed = await startAuthentication({ optionsJSON: options, useBrowserAutofill: isAutofill })
  const { authenticatorData, clientDataJSON, signature, userHandle = null } = signed.response
  const { id, rawId, type } = signed
  return { id, rawId, type, response: { authenticatorData, clientDataJSON, signature, userHandle } }
}

export const canAutofill = browserSupportsWebAuthnAutofill

/** Ends what the browser is asking, if anything. */
export const cancelPasskey = (): void => WebAuthnAbortService.cancelCeremony()

/** Describes why a passkey could not be used or created; null where the page itself has ended it. */
export function describePasskeyFailure(error: unknown, { isNew = false } = {}): string | null {
  if (error instanceof ApiError || !(error instanceof Error)) return messageOf(error)
  if (error instanceof WebAuthnError && error.code === 'ERROR_CEREMONY_ABORTED') return null
  switch (error.name) {
    case 'NotAllowedError':
      if (isNew) return 'No passkey was created. The request was canceled or took too long.'
      return 'No passkey was used. The request was canceled or took too long, or this device has none for this account.'
    case 'InvalidStateError':
      return 'This device has a passkey for your account already.'
    case 'ConstraintError':
      return 'This device cannot verify that it is you. Use one with a PIN, a fingerprint or a face.'
    default:
      return isNew
        ? 'This browser cannot create a passkey here. Use another browser.'
        : 'This browser cannot use a passkey here. Use another browser, or another way to sign in.'
  }
}
