import { isObject, isPlain, PLAIN_TEXT_REFUSAL, toPlainName } from '@burgee/contract'
import type { StoredAddress, StoredProfile } from '../../platform/db/tables.ts'
import { EMAILS_MAX, TEXT_MAX_LENGTH } from './limits.ts'
import { fieldOf } from './parse-patch.ts'
import { badRequest } from './scim-refused.ts'

/** The attributes of a person as the provider wants them. */
export interface UserDraft {
  readonly userName: string
  readonly externalId: string | null
  readonly active: boolean
  readonly profile: StoredProfile
}

/** The parts of a name, by their names in lower case. */
export const NAME_PARTS: ReadonlyMap<string, string> = new Map(
  ['formatted', 'familyName', 'givenName', 'middleName', 'honorificPrefix', 'honorificSuffix'].map((part) => [
    part.toLowerCase(),
    part,
  ]),
)

/**
 * Reads a whole person from a POST or PUT; without `active` their state is `isActive`. Other attributes are
 * not stored.
 */
export function readUser(body: unknown, isActive = true): UserDraft {
  if (!isObject(body)) throw badRequest('invalidSyntax', 'Send a user as a JSON object.')
  const userName = readText(fieldOf(body, 'userName'), 'userName')
  if (userName === null) throw badRequest('invalidValue', 'A user has a userName.')
  const displayName = readText(fieldOf(body, 'displayName'), 'displayName')
  const name = readName(fieldOf(body, 'name'))
  const emails = readEmails(fieldOf(body, 'emails'))
  return {
    userName,
    externalId: readText(fieldOf(body, 'externalId'), 'externalId'),
    active: readActive(fieldOf(body, 'active')) ?? isActive,
    profile: toProfile({ displayName, name, emails }),
  }
}

interface Profile {
  readonly displayName: string | null
  readonly name: Readonly<Record<string, string>>
  readonly emails: readonly StoredAddress[]
}

/** Builds the stored form, without what is empty. */
export const toProfile = ({ displayName, emails, name }: Profile): StoredProfile => ({
  ...(displayName !== null && { displayName }),
  ...(Object.keys(name).length > 0 && { name }),
  ...(emails.length > 0 && { emails }),
})

/** Returns a text; null when it is absent, null or blank. */
export function readText(value: unknown, attribute: string): string | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') throw badRequest('invalidValue', `${attribute} is a text.`)
  if (value.length > TEXT_MAX_LENGTH)
    throw badRequest('invalidValue', `${attribute} may have at most ${TEXT_MAX_LENGTH} characters.`)
  return value.trim() === '' ? null : value
}

/** Reads whether a person is active; Entra ID sends `"False"`. Undefined when it is absent. */
export function readActive(value: unknown): boolean | undefined {
  if (value === undefined || value === null || typeof value === 'boolean') return value ?? undefined
  const text = typeof value === 'string' ? value.toLowerCase() : null
  if (text === 'true' || text === 'false') return text === 'true'
  throw badRequest('invalidValue', 'active is true or false.')
}

export function readName(value: unknown): Readonly<Record<string, string>> {
  if (value === undefined || value === null) return {}
  if (!isObject(value)) throw badRequest('invalidValue', 'name is an object.')
  const parts = Object.entries(value).flatMap(([key, text]) => {
    const part = NAME_PARTS.get(key.toLowerCase())
    const read = part === undefined ? null : readText(text, `name.${part}`)
    return part === undefined || read === null ? [] : [[part, read] as const]
  })
  return Object.fromEntries(parts)
}

export function readEmails(value: unknown): readonly StoredAddress[] {
  if (value === undefined || value === null) return []
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (items.length > EMAILS_MAX)
    throw badRequest('invalidValue', `A user may have at most ${EMAILS_MAX} e-mail addresses.`)
  return items.flatMap((item) => {
    if (!isObject(item)) throw badRequest('invalidValue', 'An item of emails is an object with a value.')
    const value = readText(fieldOf(item, 'value'), 'emails.value')
    const type = readText(fieldOf(item, 'type'), 'emails.type')
    const primary = readActiveFlag(fieldOf(item, 'primary'))
    return value === null ? [] : [{ value, ...(type !== null && { type }), ...(primary && { primary }) }]
  })
}

/** Reads `primary`, which Entra ID may send as a text as well. */
export const readActiveFlag = (value: unknown): boolean => String(value).toLowerCase() === 'true'

const EMAIL = /^[^\s@]+@[^\s@]+$/

/**
 * Returns the e-mail address of the account: the primary one, the one for work, the first one, or a userName
 * in the form of an address.
 */
export function emailOf({ profile: { emails = [] }, userName }: UserDraft): string {
  const [first] = emails
  const chosen =
    emails.find(({ primary }) => primary) ??
    emails.find(({ type }) => type?.toLowerCase() === 'work') ??
    first
  const email = chosen?.value ?? userName
  if (EMAIL.test(email)) return email
  throw badRequest(
    'invalidValue',
    'A user needs an e-mail address, in emails or as the userName. Map the address in the identity provider.',
  )
}

/** Returns the address for an account. It must be plain text, unless the account has it already. */
export function newEmailOf(draft: UserDraft, stored?: string): string {
  const email = emailOf(draft)
  if (email === stored || isPlain('plain-email', email)) return email
  throw badRequest('invalidValue', `The e-mail address ${PLAIN_TEXT_REFUSAL}.`)
}

/**
 * Returns the name of the account: the display name, the parts of the name, or the userName, without what
 * names may not have.
 */
export function accountName({ profile: { displayName, name = {} }, userName }: UserDraft): string {
  const full = [name.givenName, name.familyName].filter((part) => part !== undefined).join(' ')
  const given = displayName ?? name.formatted ?? (full === '' ? userName : full)
  return toPlainName(given) || toPlainName(userName) || 'Unnamed'
}
