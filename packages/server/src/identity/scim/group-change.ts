import { isObject } from '@burgee/contract'
import { GROUP_MEMBERS_MAX } from './limits.ts'
import { fieldOf, type PatchStep, parsePatch } from './parse-patch.ts'
import { invalidPath, parsePath } from './parse-path.ts'
import { GROUP_SCHEMA } from './schema-uris.ts'
import { badRequest } from './scim-refused.ts'
import { readText } from './user-draft.ts'

/** A change of a group. Members are ids of accounts as text. */
export interface GroupChange {
  /** Undefined to keep it. */
  displayName?: string
  externalId?: string | null
  /** True when members that are not in `added` leave. */
  replacesMembers: boolean
  readonly added: Set<string>
  readonly removed: Set<string>
}

/** Reads a whole group from a POST or PUT. Without `members`, a PUT leaves none. */
export function readGroup(body: unknown): GroupChange & { displayName: string } {
  if (!isObject(body)) throw badRequest('invalidSyntax', 'Send a group as a JSON object.')
  return {
    displayName: readDisplayName(fieldOf(body, 'displayName')),
    externalId: readText(fieldOf(body, 'externalId'), 'externalId'),
    replacesMembers: true,
    added: new Set(readMembers(fieldOf(body, 'members'))),
    removed: new Set(),
  }
}

/** Reads a PATCH of a group as one change of its members, so that it costs no more than they are. */
export function readGroupPatch(body: unknown): GroupChange {
  const change: GroupChange = { replacesMembers: false, added: new Set(), removed: new Set() }
  for (const step of parsePatch(body)) applyStep(change, step)
  if (change.added.size > GROUP_MEMBERS_MAX || change.removed.size > GROUP_MEMBERS_MAX) throw tooMany()
  return change
}

function applyStep(change: GroupChange, { isField, op, path, value }: PatchStep): void {
  const target = parsePath(path, GROUP_SCHEMA)
  const { attribute, sub, where } = target
  if (attribute === 'members') applyMembers(change, { op, path, value, where, sub })
  else if (['id', 'meta', 'schemas'].includes(attribute)) {
    // Okta sends the id among the fields of a rename.
    if (!isField) throw badRequest('mutability', `${attribute} cannot be changed.`)
  } else if (sub !== null || where !== null) throw invalidPath(path)
  else if (attribute === 'displayname') change.displayName = readDisplayName(op === 'remove' ? null : value)
  else if (attribute === 'externalid')
    change.externalId = op === 'remove' ? null : readText(value, 'externalId')
  else throw invalidPath(path)
}

interface MemberStep extends Pick<PatchStep, 'op' | 'path' | 'value'> {
  readonly where: ReturnType<typeof parsePath>['where']
  readonly sub: string | null
}

function applyMembers(change: GroupChange, { op, path, sub, value, where }: MemberStep): void {
  if (sub !== null) throw invalidPath(path)
  if (where !== null) {
    // Okta and Entra ID remove one member with `members[value eq "12"]`.
    if (where.sub !== 'value' || op !== 'remove') throw invalidPath(path)
    remove(change, [String(where.value)])
    return
  }
  const ids = readMembers(value)
  const names = value !== undefined && value !== null
  if (op === 'add') add(change, ids)
  else if (op === 'remove' && names) remove(change, ids)
  else replaceAll(change, op === 'replace' ? ids : [])
}

function replaceAll(change: GroupChange, ids: readonly string[]): void {
  change.replacesMembers = true
  change.added.clear()
  change.removed.clear()
  add(change, ids)
}

function add({ added, removed }: GroupChange, ids: readonly string[]): void {
  for (const id of ids) {
    removed.delete(id)
    added.add(id)
  }
}

function remove({ added, removed }: GroupChange, ids: readonly string[]): void {
  for (const id of ids) {
    added.delete(id)
    removed.add(id)
  }
}

function readDisplayName(value: unknown): string {
  const displayName = readText(value, 'displayName')
  if (displayName === null) throw badRequest('invalidValue', 'A group has a displayName.')
  return displayName
}

/** Reads the ids of members: objects with a value, or the ids themselves. */
function readMembers(value: unknown): string[] {
  if (value === undefined || value === null) return []
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (items.length > GROUP_MEMBERS_MAX) throw tooMany()
  return items.map((item) => {
    const id = isObject(item) ? fieldOf(item, 'value') : item
    if (typeof id !== 'string' || id === '' || id.length > 100)
      throw badRequest('invalidValue', 'A member has the id of a user as its value.')
    return id
  })
}

const tooMany = () =>
  badRequest('tooMany', `A group may have at most ${GROUP_MEMBERS_MAX} members. Split it at the provider.`)
