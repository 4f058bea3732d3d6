import { createHmac } from 'node:crypto'
import type { PasskeyAssertion, PasskeyInput } from '@burgee/contract'
import type { Transaction } from 'kysely'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../../changes/index.ts'
import { conflict, forbidden, Refusal } from '../../../kernel/refusal.ts'
import type { TextSeal } from '../../../platform/crypto/sealed-text.ts'
import type { Database } from '../../../platform/db/tables.ts'
import type { Log } from '../../../platform/log/log.ts'
import { factorAudit } from '../factor-audit.ts'
import { type ChallengePurpose, createChallenges, type OpenedChallenge } from './challenges.ts'
import { isCopied } from './passkey.ts'
import { findPasskey, isUsed, type OwnedPasskey, storePasskeyUse, useChallenge } from './queries.ts'
import { findRelyingParty, type RelyingParty } from './relying-party.ts'
import { type NewCredential, verifyCreation, verifySignature } from './verify-response.ts'

/** The request that a response of a passkey came with. */
export interface PasskeyRequest {
  /** The header Host, which counts while PUBLIC_URL is not set. */
  readonly host: string | undefined
  readonly address: string
  readonly request_id: string
}

interface Assertion {
  readonly assertion: PasskeyAssertion
  readonly request: PasskeyRequest
  readonly purpose: Exclude<ChallengePurpose, 'add'>
  /** The account that must own the passkey; null for a login without a password. */
  readonly user_id: number | null
}

/** A passkey whose response was right. */
export interface CheckedPasskey {
  readonly user_id: number
  readonly name: string
  /** Uses the response up. False when it was used before, or the passkey was removed meanwhile. */
  use(tx: Transaction<Database>): Promise<boolean>
}

/** The passkeys of accounts: what is common to adding one and to each use. */
export interface Passkeys {
  /** Returns the origins of pages on which passkeys work; empty where none do. */
  origins(host: string | undefined): readonly string[]
  /**
   * Returns a new challenge, and what it is valid for. Refuses with `conflict` where passkeys cannot work.
   */
  begin(
    host: string | undefined,
    use: { readonly purpose: ChallengePurpose; readonly user_id: number | null },
  ): { readonly challenge: string; readonly party: RelyingParty }
  /** Returns the opaque name that authenticators store for an account, in base64url. */
  handleOf(user_id: number): string
  /** Verifies the response to the creation of a passkey; null when it is wrong. */
  checkNew(
    credential: PasskeyInput['credential'],
    of: { readonly user_id: number; readonly host: string | undefined },
  ): Promise<(NewCredential & { readonly challenge: OpenedChallenge }) | null>
  /**
   * Verifies the response of a passkey; null when it is wrong. Refuses with `forbidden` when the signature is
   * right and its count shows a copy of the authenticator, with an entry in the audit log.
   */
  check(assertion: Assertion): Promise<CheckedPasskey | null>
}

/** Base64url. The database refuses some other texts. */
const CREDENTIAL_ID = /^[\w-]+$/

interface Deps extends Pick<WorkspaceWriteDeps, 'db' | 'bus' | 'clock' | 'onAccessChanged'> {
  readonly log: Log
  readonly seal: TextSeal
  /** The key of the handles, equal on every instance. */
  readonly handleKey: Uint8Array
  readonly publicUrl: string | null
}

export function createPasskeys(deps: Deps): Passkeys {
  const { clock, db, handleKey, log, publicUrl, seal } = deps
  const challenges = createChallenges({ clock, seal })
  const partyOf = (host: string | undefined): RelyingParty => {
    const party = findRelyingParty(publicUrl, host)
    if (party === null) throw unusable(publicUrl)
    return party
  }
  const handleOf = (user_id: number): string =>
    createHmac('sha256', handleKey).update(String(user_id)).digest('base64url')

  /**
   * Runs a verification that throws on everything that is wrong with a response. A refusal is for the caller.
   */
  async function attempt<T>(verify: Verify<T>, opens: Opens): Promise<Verified<T> | null> {
    let challenge: OpenedChallenge | null = null
    try {
      const result = await verify((text) => {
        challenge = opens(text)
        return challenge !== null
      })
      return challenge === null ? null : { result, challenge }
    } catch (err) {
      if (err instanceof Refusal) throw err
      log.debug({ err }, 'the response of a passkey was refused')
      return null
    }
  }

  return {
    origins: (host) => findRelyingParty(publicUrl, host)?.origins ?? [],
    begin(host, use) {
      const party = partyOf(host)
      return { challenge: challenges.issue(use), party }
    },
    handleOf,
    async checkNew(credential, { host, user_id }) {
      const party = partyOf(host)
      const checked = await attempt(
        (isChallenge) => verifyCreation(credential, { isChallenge, party }),
        (text) => challenges.open(text, { purpose: 'add', user_id }),
      )
      return checked && { ...checked.result, challenge: checked.challenge }
    },
    async check({ assertion, purpose, request, user_id }) {
      const party = partyOf(request.host)
      const passkey = CREDENTIAL_ID.test(assertion.id) ? await findPasskey(db, assertion.id) : undefined
      if (!passkey || (user_id !== null && passkey.user_id !== user_id)) return null
      // Without a password, the authenticator names the account (WebAuthn, section 7.2, step 6).
      const { userHandle = null } = assertion.response
      if (userHandle === null ? user_id === null : userHandle !== handleOf(passkey.user_id)) return null
      const checked = await attempt(
        (isChallenge) => verifySignature(assertion, passkey, { isChallenge, party }),
        (text) => challenges.open(text, { purpose, user_id }),
      )
      if (!checked) return null
      const { challenge, result: sign_count } = checked
      // A replayed response has an old count too, and shows no copy.
      if (await isUsed(db, challenge)) return null
      if (isCopied(passkey.sign_count, sign_count)) await refuseCopy(deps, passkey, request)
      return {
        ...{ user_id: passkey.user_id, name: passkey.name },
        use: async (tx) =>
          (await useChallenge(tx, challenge)) &&
          storePasskeyUse(tx, { id: passkey.id, sign_count, now: clock.now().toISOString() }),
      }
    },
  }
}

type Verify<T> = (isChallenge: (challenge: string) => boolean) => Promise<T>
type Opens = (challenge: string) => OpenedChallenge | null
interface Verified<T> {
  readonly result: T
  readonly challenge: OpenedChallenge
}

/** Records a count that did not grow, and refuses the passkey (WebAuthn, section 6.1.1). */
async function refuseCopy(
  deps: Pick<Deps, 'db' | 'bus' | 'clock' | 'onAccessChanged'>,
  { email, name, user_id }: OwnedPasskey,
  { address, request_id }: PasskeyRequest,
): Promise<never> {
  await writeWorkspace(deps, { kind: 'past', name: email, address, request_id }, async () => ({
    result: undefined,
    audit: factorAudit(user_id, { second_factor: 'passkey', change: 'refused', name }),
    changesAccess: false,
  }))
  throw forbidden(
    'The counter of this passkey went back, so it may have been copied. Remove it and add it again.',
  )
}

const unusable = (publicUrl: string | null) =>
  conflict(
    publicUrl === null
      ? 'Passkeys need the address that people use: set PUBLIC_URL to an https address with a host name. Until then they work at localhost only.'
      : 'Passkeys need an https address with a host name: PUBLIC_URL is http or an IP address. Change it, and use that address.',
  )
