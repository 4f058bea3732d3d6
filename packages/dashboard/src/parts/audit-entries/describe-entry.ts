import { type AuditEntry, cutLine, describeFlagChange, type Flag, isObject } from '@burgee/contract'

/** The thing that an entry is about. */
export interface Subject {
  /** `flag`, or the kind of thing: `segment`, `experiment`, `sdk_key`. */
  readonly kind: string
  /** The flag's key, the thing's key or id, or its name where the entry has it. */
  readonly name: string
}

const VERBS: Readonly<Record<AuditEntry['action'], string>> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
  promote: 'promoted',
  archive: 'archived',
  unarchive: 'unarchived',
  restore: 'restored',
  schedule: 'scheduled a change of',
  unschedule: 'canceled the scheduled change of',
  'change_request.open': 'requested a change of',
  'change_request.approve': 'approved a change of',
  'change_request.reject': 'rejected a change of',
  'change_request.cancel': 'withdrew a change request for',
  'auth.login': 'signed in',
  'auth.login_failed': 'failed to sign in as',
  'auth.locked': 'locked, by failures, the account of',
  'auth.second_factor_failed': 'gave a wrong second factor for',
  'auth.sso_failed': 'failed to sign in with single sign-on as',
  'auth.link_failed': 'opened a wrong one-time link of',
  'auth.reauthenticate': 'confirmed the session of',
  'auth.reauthenticate_failed': 'failed to confirm the session of',
  'auth.logout': 'signed out',
  'auth.used_after_silence': 'used, after 30 days or more,',
}

/** The action, to be shown before its subject. Actions that a later version writes are shown as they are. */
export function describeEntryAction({ action, metadata }: Pick<AuditEntry, 'action' | 'metadata'>): string {
  if (typeof metadata?.bypass_reason === 'string') return 'applied, without approval, a change of'
  // The discussion of a request is the only update of one.
  if (action === 'update' && String(metadata?.resource).startsWith('change_request:')) return 'commented on'
  if (metadata?.redelivered !== undefined) return 'sent again a delivery of'
  if (metadata?.tested !== undefined) return 'sent a sample to'
  return VERBS[action] ?? action
}

/** `environment:0c5f…` is shown by the name that the entry holds, `segment:beta` by its key. */
export function subjectOf({ flag_key, metadata, before_data, after_data }: AuditEntry): Subject {
  if (flag_key !== '') return { kind: 'flag', name: flag_key }
  const resource = typeof metadata?.resource === 'string' ? metadata.resource : ''
  const [kind = '', ...rest] = resource.split(':')
  const id = rest.join(':')
  const [what = '', ...named] = rest
  if (kind === 'reports')
    return { kind, name: [what.replaceAll('_', ' '), named.join(':')].filter(Boolean).join(' ') }
  const name = [after_data, before_data].map(nameIn).find((name) => name !== null)
  return { kind: kind || 'something', name: KEYED.has(kind) ? id : (name ?? id) }
}

/** Their resource names what people call them by. */
const KEYED: ReadonlySet<string> = new Set(['segment', 'experiment', 'invariant'])

function nameIn(data: AuditEntry['after_data']): string | null {
  const name = data.name ?? data.email ?? data.workspace_name ?? data.url
  return typeof name === 'string' && name !== '' ? name : null
}

/** `sdk_key` reads as `SDK key`. */
export const describeKind = (kind: string): string => KINDS[kind] ?? kind.replaceAll('_', ' ')
const KINDS: Readonly<Record<string, string>> = {
  session: 'a session',
  sdk_key: 'SDK key',
  access_token: 'access token',
  integration: 'Slack or Teams alert',
  reports: 'reports of',
  something: 'a setting',
}

/** The way a write came, such as a schedule; null for a direct one. */
export function originOf({ metadata }: AuditEntry): string | null {
  const origin = metadata?.origin
  if (typeof origin !== 'string' || origin === 'direct') return null
  return describeOrigin(origin)
}

/** Describes the way a write came: `schedule` reads as `On schedule`. */
export const describeOrigin = (origin: string): string => ORIGINS[origin] ?? origin.replaceAll('_', ' ')
const ORIGINS: Readonly<Record<string, string>> = {
  change_request: 'By change request',
  schedule: 'On schedule',
  promote: 'By promotion',
  import: 'By import',
}

/** The credential that the actor used, in words: `SDK key 7`. Null if the entry does not state. */
export function credentialIn({ metadata }: AuditEntry): string | null {
  const credential = metadata?.credential
  if (typeof credential !== 'object' || credential === null || Array.isArray(credential)) return null
  const { id, kind } = credential
  if (typeof kind !== 'string') return null
  // The id of a session means nothing to people.
  return kind === 'session' || id === null ? describeKind(kind) : `${describeKind(kind)} ${String(id)}`
}

/** The credential as the filter takes it: `sdk_key:7`. Null if the entry does not state. */
export function credentialKey({ metadata }: AuditEntry): string | null {
  const credential = metadata?.credential
  if (typeof credential !== 'object' || credential === null || Array.isArray(credential)) return null
  const { id, kind } = credential
  return typeof kind === 'string' && id !== null && id !== undefined ? `${kind}:${String(id)}` : null
}

/** The flags of an entry about a flag; undefined for other entries. */
export function flagsIn({
  flag_key,
  before_data,
  after_data,
}: AuditEntry): { readonly before: Flag | null; readonly after: Flag | null } | undefined {
  const [before, after] = [readFlag(before_data), readFlag(after_data)]
  const isFlag = flag_key !== '' && before !== undefined && after !== undefined && (before ?? after) !== null
  return isFlag ? { before, after } : undefined
}

/** Null if there was no flag; undefined if the data is something else, such as a change request. */
function readFlag(data: AuditEntry['before_data']): Flag | null | undefined {
  if (Object.keys(data).length === 0) return null
  const isFlag =
    typeof data.key === 'string' &&
    typeof data.is_enabled === 'boolean' &&
    [data.rules, data.variants, data.prerequisites, data.tags].every(Array.isArray)
  return isFlag ? (data as unknown as Flag) : undefined
}

const PHRASES_SHOWN = 2
const LINE_MAX = 160

/**
 * The change in one line. For a flag it is what the change means; for anything else, the names of the fields.
 * Empty if that shows nothing.
 */
export function describeEntry(entry: AuditEntry): string {
  const steps = describeSteps(entry)
  if (steps !== null) return steps
  const flags = flagsIn(entry)
  if (!flags) return cutLine(changedFields(entry).join(', '), LINE_MAX)
  const phrases = describeFlagChange(flags.before, flags.after).filter((phrase) => !REPEATED.has(phrase))
  const rest = phrases.length - PHRASES_SHOWN
  const shown = phrases.slice(0, PHRASES_SHOWN).join(' · ')
  return cutLine(rest > 0 ? `${shown} and ${rest} more` : shown, LINE_MAX)
}

/** The progress of an approval, or the author of a change that was planned before; null for other entries. */
function describeSteps({ action, after_data, metadata }: AuditEntry): string | null {
  const approvals = metadata?.approvals
  if (isObject(approvals)) return `${String(approvals.given)} of ${String(approvals.needed)} approvals`
  const isPlanned = action === 'change_request.open' && metadata?.scheduled_change_id !== undefined
  return isPlanned ? `scheduled by ${String(after_data.requested_by)} before approval was required` : null
}

/** The changed fields of something that was there before and still is. */
function changedFields({ before_data, after_data }: AuditEntry): string[] {
  if (Object.keys(before_data).length === 0) return []
  const isSame = (field: string) => JSON.stringify(before_data[field]) === JSON.stringify(after_data[field])
  return Object.keys(after_data)
    .filter((field) => !isSame(field))
    .map((field) => field.replaceAll('_', ' '))
}

/** The action states it already. */
const REPEATED: ReadonlySet<string> = new Set(['created', 'deleted', 'archived', 'unarchived'])
