import { randomBytes } from 'node:crypto'

/** The secrets of one login, which its browser keeps encrypted until the callback. */
export interface LoginSecrets {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

const SECRET_BYTES = 32

export const newLoginSecrets = (): LoginSecrets => ({
  state: newSecret(),
  nonce: newSecret(),
  verifier: newSecret(),
})

const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')
