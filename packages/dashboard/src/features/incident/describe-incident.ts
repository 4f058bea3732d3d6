import type { IncidentEntry } from '@burgee/contract'
import { describeFields } from '../../parts/flag-diff/describe-fields.ts'

const MINUTE_MS = 60_000

/** The windows that the page offers, by their value in the address. */
export const WINDOWS = [
  { value: '15m', label: '15 min', ms: 15 * MINUTE_MS },
  { value: '1h', label: '1 hour', ms: 60 * MINUTE_MS },
  { value: '24h', label: '24 hours', ms: 24 * 60 * MINUTE_MS },
  { value: '7d', label: '7 days', ms: 7 * 24 * 60 * MINUTE_MS },
] as const

/** Returns when a window begins, in whole minutes, so that the same list is read for a while. */
export function windowStart(value: string, now: number): string {
  const ms = WINDOWS.find((window) => window.value === value)?.ms ?? WINDOWS[1].ms
  return new Date(Math.floor((now - ms) / MINUTE_MS) * MINUTE_MS).toISOString()
}

const DEEDS: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
  archive: 'archived',
  unarchive: 'unarchived',
  promote: 'promoted',
  restore: 'restored',
  'change_request.approve': 'approved a change of',
}

const FLAGS_NAMED = 3

/** Describes who did what: "ada@example.com changed new-checkout". */
export function describeDeed({ action, flag_keys, segment_key }: IncidentEntry): string {
  const deed = DEEDS[action] ?? action.replaceAll('_', ' ').replaceAll('.', ': ')
  if (segment_key !== undefined) return `${deed} the segment ${segment_key}`
  const more = flag_keys.length - FLAGS_NAMED
  const named = flag_keys.slice(0, FLAGS_NAMED).join(', ')
  return `${deed} ${named}${more > 0 ? ` and ${more} more` : ''}`
}

/** Describes the changed fields of an entry: "Changed: switch, rollout". */
export const describeSummary = (summary: string): string =>
  summary === TOO_LARGE ? 'Too large to compare' : `Changed: ${describeFields(summary.split(', '))}`

const TOO_LARGE = 'too large to compare'
