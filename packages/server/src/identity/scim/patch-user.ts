import { isObject } from '@burgee/contract'
import type { StoredAddress } from '../../platform/db/tables.ts'
import { EMAILS_MAX } from './limits.ts'
import { type PatchStep, parsePatch } from './parse-patch.ts'
import { type AttributePath, invalidPath, parsePath } from './parse-path.ts'
import { ENTERPRISE_SCHEMA, USER_SCHEMA } from './schema-uris.ts'
import { badRequest } from './scim-refused.ts'
import {
  NAME_PARTS,
  readActive,
  readActiveFlag,
  readEmails,
  readName,
  readText,
  toProfile,
  type UserDraft,
} from './user-draft.ts'

/** Attributes of RFC 7643 that are accepted and not stored, in lower case. */
const IGNORED = new Set([
  ...['nickname', 'profileurl', 'title', 'usertype', 'preferredlanguage', 'locale', 'timezone', 'password'],
  ...['phonenumbers', 'ims', 'photos', 'addresses', 'entitlements', 'roles', 'x509certificates'],
])
const READ_ONLY = new Set(['id', 'meta', 'schemas', 'groups'])

/** A person while the steps of a PATCH are applied. */
interface Patched {
  userName: string
  externalId: string | null
  active: boolean
  displayName: string | null
  name: Record<string, string>
  emails: StoredAddress[]
}

/** Applies a PATCH to a person (RFC 7644, section 3.5.2). Either all of its steps apply, or none does. */
export function patchUser(draft: UserDraft, body: unknown): UserDraft {
  const { active, externalId, profile, userName } = draft
  const patched: Patched = {
    ...{ userName, externalId, active, displayName: profile.displayName ?? null },
    name: { ...profile.name },
    emails: [...(profile.emails ?? [])],
  }
  for (const step of parsePatch(body)) applyStep(patched, step)
  return {
    userName: patched.userName,
    externalId: patched.externalId,
    active: patched.active,
    profile: toProfile(patched),
  }
}

function applyStep(patched: Patched, step: PatchStep): void {
  const { op, path } = step
  if (path.slice(0, ENTERPRISE_SCHEMA.length).toLowerCase() === ENTERPRISE_SCHEMA.toLowerCase()) return
  const target = parsePath(path, USER_SCHEMA)
  const { attribute } = target
  if (READ_ONLY.has(attribute)) {
    if (step.isField) return
    throw badRequest('mutability', `${attribute} cannot be changed.`)
  }
  if (IGNORED.has(attribute)) return
  const value = op === 'remove' ? null : step.value
  if (attribute === 'name') applyName(patched, target, { op, path, value })
  else if (attribute === 'emails') applyEmails(patched, target, { op, path, value })
  else if (target.sub !== null || target.where !== null) throw invalidPath(path)
  else applyPlain(patched, { attribute, path, value })
}

interface Change {
  readonly op: PatchStep['op']
  readonly path: string
  /** Null to remove. */
  readonly value: unknown
}

function applyPlain(
  patched: Patched,
  { attribute, path, value }: { readonly attribute: string; readonly path: string; readonly value: unknown },
): void {
  switch (attribute) {
    case 'username': {
      const userName = readText(value, 'userName')
      if (userName === null) throw badRequest('invalidValue', 'A user has a userName; it cannot be removed.')
      patched.userName = userName
      return
    }
    case 'externalid':
      patched.externalId = readText(value, 'externalId')
      return
    case 'displayname':
      patched.displayName = readText(value, 'displayName')
      return
    case 'active': {
      const active = readActive(value)
      if (active === undefined)
        throw badRequest('invalidValue', 'active is true or false; it cannot be removed.')
      patched.active = active
      return
    }
    default:
      throw invalidPath(path)
  }
}

function applyName(patched: Patched, { sub, where }: AttributePath, { op, path, value }: Change): void {
  if (where !== null) throw invalidPath(path)
  if (sub === null) {
    const parts = readName(value)
    // Sub-attributes that a value does not name stay as they are (RFC 7644, section 3.5.2.3).
    patched.name = op === 'remove' ? {} : { ...patched.name, ...parts }
    return
  }
  const part = NAME_PARTS.get(sub)
  if (part === undefined) throw invalidPath(path)
  const text = readText(value, `name.${part}`)
  if (text === null) delete patched.name[part]
  else patched.name[part] = text
}

function applyEmails(patched: Patched, { sub, where }: AttributePath, { op, path, value }: Change): void {
  if (where === null && sub === null) {
    const emails = readEmails(value)
    patched.emails = op === 'add' ? withAll(patched.emails, emails) : [...emails]
    return
  }
  if (sub !== null && !['value', 'type', 'primary', 'display'].includes(sub)) throw invalidPath(path)
  const isMeant = where === null ? () => true : (address: StoredAddress) => matches(address, where)
  if (op === 'remove' && (sub === null || sub === 'value')) {
    patched.emails = patched.emails.filter((address) => !isMeant(address))
    return
  }
  const change = sub === null ? Object(value) : { [sub]: value }
  const found = patched.emails.filter(isMeant)
  // Entra ID replaces the address of a type that the person does not have yet.
  const base: StoredAddress[] = found.length > 0 ? found : [newAddress(where)]
  const changed = base.flatMap((address) => readEmails({ ...address, ...fieldsOf(change) }))
  patched.emails = withAll(
    patched.emails.filter((address) => !isMeant(address)),
    changed,
  )
}

const newAddress = (where: AttributePath['where']): StoredAddress => ({
  value: where?.sub === 'value' ? String(where.value) : '',
  ...(where?.sub === 'type' && { type: String(where.value) }),
})

/** Returns the known fields of a change to an address. */
function fieldsOf(change: unknown): object {
  if (!isObject(change)) return {}
  return Object.fromEntries(
    Object.entries(change)
      .map(([key, value]) => [key.toLowerCase(), value] as const)
      .filter(([key]) => ['value', 'type', 'primary'].includes(key)),
  )
}

function matches(
  { primary, type, value }: StoredAddress,
  { sub, value: wanted }: NonNullable<AttributePath['where']>,
): boolean {
  const text = String(wanted).toLowerCase()
  if (sub === 'type') return type?.toLowerCase() === text
  if (sub === 'value') return value.toLowerCase() === text
  return sub === 'primary' && (primary ?? false) === readActiveFlag(wanted)
}

/** Adds addresses. An address that is there already is replaced, and a new primary one is the only one. */
function withAll(emails: readonly StoredAddress[], added: readonly StoredAddress[]): StoredAddress[] {
  const values = new Set(added.map(({ value }) => value.toLowerCase()))
  const hasPrimary = added.some(({ primary }) => primary)
  const kept = emails
    .filter(({ value }) => !values.has(value.toLowerCase()))
    .map(({ primary, ...address }) => (primary && !hasPrimary ? { ...address, primary } : address))
  if (kept.length + added.length > EMAILS_MAX)
    throw badRequest('invalidValue', `A user may have at most ${EMAILS_MAX} e-mail addresses.`)
  return [...kept, ...added]
}
