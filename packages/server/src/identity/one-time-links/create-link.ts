import type { InvitationInput } from '@burgee/contract'
import { type WorkspaceWrite, type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { Author } from '../../kernel/actor.ts'
import { conflict, invalid, notFound, tooMany } from '../../kernel/refusal.ts'
import { hashSecret } from '../../platform/crypto/hash-secret.ts'
import { newSecret } from '../../platform/crypto/new-secret.ts'
import { uniqueViolation } from '../../platform/db/unique-violation.ts'
import { insertUser, lockUser, toAuditedUser, type User } from '../../structure/users/index.ts'
import { addLink, countLinks, type LinkPurpose, replaceLink } from '../link-rows/index.ts'

const LINK_LIFETIME_MS = 60 * 60_000
/** The links of a user beside which no further one can be requested. */
const LINKS_MAX = 5
const EMAIL_INDEX = 'users_email_key'

export interface LinkDeps extends WorkspaceWriteDeps {
  readonly newId: () => string
  /** The address under which people reach the server; null when it is not known. */
  readonly publicUrl: string | null
}

export interface CreatedLink {
  readonly user: User
  readonly purpose: LinkPurpose
  /** The link with its token, which is stored as a hash only. */
  readonly link: string
  readonly expires_at: string
}

interface WantedLink {
  readonly id: number
  readonly purpose: LinkPurpose
  /** True when anyone may have requested it: earlier links then stay valid. */
  readonly isRequested?: boolean
}

/**
 * Creates a link with which a user sets a password, in place of earlier ones unless it was requested. Refuses
 * with `not_found`, with `invalid` for a disabled user, and with `too_many` for a request beside too many
 * links.
 */
export async function createLink(
  deps: LinkDeps,
  author: Author,
  { id, isRequested = false, purpose }: WantedLink,
): Promise<CreatedLink> {
  return writeWorkspace(deps, author, async (write) => {
    const locked = await lockUser(write.tx, id)
    if (!locked) throw notFound('user')
    const { user } = locked
    if (user.disabled_at !== null)
      throw invalid([{ path: '', message: 'This user is disabled. Enable them first.' }])
    if (isRequested && (await countLinks(write.tx, id, write.now)) >= LINKS_MAX)
      throw tooMany('Too many links were requested for this account.', LINK_LIFETIME_MS / 1_000)
    const metadata = { origin: 'direct', resource: `user:${id}`, link: purpose } as const
    return {
      result: await storeLink(deps, write, user, { purpose, isRequested }),
      audit: { ...IN_WORKSPACE, action: 'update', before: null, after: null, metadata },
      changesAccess: false,
    }
  })
}

/**
 * Creates a user without a password, and their link. Refuses with `conflict` when the e-mail is in use,
 * ignoring case.
 */
export async function inviteUser(
  deps: LinkDeps,
  author: Author,
  { email, name, role }: InvitationInput,
): Promise<CreatedLink> {
  try {
    return await writeWorkspace(deps, author, async (write) => {
      const { now, tx } = write
      const user = await insertUser(tx, { name, email, role, password_hash: null, now })
      const metadata = { origin: 'direct', resource: `user:${user.id}`, link: 'invitation' } as const
      return {
        result: await storeLink(deps, write, user, { purpose: 'invitation', isRequested: false }),
        audit: { ...IN_WORKSPACE, action: 'create', before: null, after: toAuditedUser(user), metadata },
        // The user has no credentials yet.
        changesAccess: false,
      }
    })
  } catch (error) {
    if (uniqueViolation(error) !== EMAIL_INDEX) throw error
    throw conflict('A user with this e-mail exists already. Use another one.')
  }
}

const IN_WORKSPACE = { project_id: null, environment_id: null } as const

async function storeLink(
  { newId, publicUrl }: LinkDeps,
  { now, tx }: WorkspaceWrite,
  user: User,
  { isRequested, purpose }: { readonly purpose: LinkPurpose; readonly isRequested: boolean },
): Promise<CreatedLink> {
  const token = newSecret('')
  const expires_at = new Date(Date.parse(now) + LINK_LIFETIME_MS).toISOString()
  const link = { id: newId(), user_id: user.id, purpose, created_at: now, expires_at }
  const store = isRequested ? addLink : replaceLink
  await store(tx, { ...link, token_hash: hashSecret(token) })
  return { user, purpose, link: `${publicUrl ?? ''}/set-password#token=${token}`, expires_at }
}
