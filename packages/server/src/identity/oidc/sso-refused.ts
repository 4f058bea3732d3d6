import type { SsoFailure } from '@burgee/contract'

/** Ends a login with single sign-on. The login page explains the failure to the person. */
export class SsoRefused extends Error {
  readonly failure: SsoFailure

  /** `cause` is for the log, and never shown. */
  constructor(failure: SsoFailure, cause?: unknown) {
    super(`single sign-on was refused: ${failure}`, { cause })
    this.name = 'SsoRefused'
    this.failure = failure
  }
}
