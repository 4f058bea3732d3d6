import { GROUP_NAME_MAX_LENGTH, isPlain, toPlainName } from '@burgee/contract'
import { hasVerifiedEmail } from './merge-claims.ts'

/** The largest number of groups. Others are ignored. */
const GROUPS_MAX = 1_000
const NAME_MAX_CHARACTERS = 200
const EMAIL_MAX_CHARACTERS = 320
/** OpenID Connect Core 1.0, section 2. */
const SUBJECT_MAX_CHARACTERS = 255

/** A person as the identity provider describes them. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** Null when the provider names none. */
  readonly email: string | null
  readonly isEmailVerified: boolean
  readonly name: string | null
  /** Null when the provider states that the person has more groups than it sends. */
  readonly groups: readonly string[] | null
  /** The time of the login at the provider in seconds since 1970; null when it does not state. */
  readonly authTime: number | null
  /** The session at the provider; null when it names none. */
  readonly sid: string | null
}

type Claims = Readonly<Record<string, unknown>>

/**
 * Reads the claims of an ID token, together with those of the user info where there are any. Returns null
 * without a usable issuer and subject.
 */
export function readIdentity(claims: Claims, groupsClaim: string): Identity | null {
  const { auth_time, iss, sid, sub } = claims
  const subject = textOf(sub, SUBJECT_MAX_CHARACTERS)
  if (subject === null || typeof iss !== 'string') return null
  const email = textOf(claims.email, EMAIL_MAX_CHARACTERS)
  return {
    issuer: iss,
    subject,
    email: email !== null && /^[^\s@]+@[^\s@]+$/.test(email) && isPlain('plain-email', email) ? email : null,
    isEmailVerified: claims.email_verified === true || isVerifiedByMicrosoft(iss, claims),
    name: nameOf(claims),
    groups: groupsOf(claims, groupsClaim),
    authTime: typeof auth_time === 'number' && Number.isFinite(auth_time) ? auth_time : null,
    sid: textOf(sid, SUBJECT_MAX_CHARACTERS),
  }
}

/** Returns whether the user info may have what the ID token lacks. */
export const lacksClaims = (claims: Claims, groupsClaim: string): boolean =>
  !hasVerifiedEmail(claims) || claims[groupsClaim] === undefined

const MICROSOFT_HOSTS = [
  'login.microsoftonline.com',
  'login.microsoftonline.us',
  'login.partner.microsoftonline.cn',
]

/**
 * Entra ID has no `email_verified`. Its optional claim `xms_edov` states that the tenant has verified the
 * domain of the address (docs/sso.md).
 */
function isVerifiedByMicrosoft(issuer: string, { xms_edov }: Claims): boolean {
  if (!URL.canParse(issuer) || !MICROSOFT_HOSTS.includes(new URL(issuer).host)) return false
  return xms_edov === true || xms_edov === 1 || xms_edov === '1' || xms_edov === 'true'
}

function nameOf({ given_name, family_name, name, preferred_username }: Claims): string | null {
  const parts = [given_name, family_name].filter((part) => typeof part === 'string').join(' ')
  for (const candidate of [name, parts, preferred_username]) {
    if (typeof candidate !== 'string') continue
    const text = [...toPlainName(candidate)].slice(0, NAME_MAX_CHARACTERS).join('')
    if (text !== '') return text
  }
  return null
}

/** A claim with one text is one group, such as Google's `hd`. */
function groupsOf(claims: Claims, groupsClaim: string): readonly string[] | null {
  const value = claims[groupsClaim]
  if (value === undefined) return isOverage(claims, groupsClaim) ? null : []
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  const names = list.filter((name): name is string => textOf(name, GROUP_NAME_MAX_LENGTH) !== null)
  return [...new Set(names)].slice(0, GROUPS_MAX)
}

/** Entra ID names another place for the groups of a person in more than 200 (OpenID Connect Core, 5.6.2). */
function isOverage({ _claim_names, hasgroups }: Claims, groupsClaim: string): boolean {
  const isElsewhere =
    typeof _claim_names === 'object' && _claim_names !== null && Object.hasOwn(_claim_names, groupsClaim)
  return isElsewhere || hasgroups === true || hasgroups === 'true'
}

function textOf(value: unknown, maxCharacters: number): string | null {
  if (typeof value !== 'string' || value.length > maxCharacters) return null
  // PostgreSQL stores no NUL, and the wire no half of a surrogate pair.
  return value === '' || value.includes('\0') || !value.isWellFormed() ? null : value
}
