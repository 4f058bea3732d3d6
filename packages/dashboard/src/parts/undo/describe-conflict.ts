import type { RevertConflict, RevertResult } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import { ApiError } from '../../shared/api/api-error.ts'
import { describePointer } from '../../shared/api/plain-text.ts'
import { nameValue } from '../../shared/charts/name-value.ts'
import { capitalize } from '../flag-diff/format-phrase.ts'

const VALUE_MAX = 60

type Outcome = RevertResult['changes'][number]
type FieldChange = Outcome['changes'][number]

/** Describes a field that an undo sets, in the words of a diff where it has some: "Rollout 100% → 10%". */
export function describeGivenBack({ after, before, path }: FieldChange): string {
  if (path === '/is_enabled' && typeof after === 'boolean') return after ? 'Switched on' : 'Switched off'
  if (path === '/rollout_percentage') return `Rollout ${showShare(before)} → ${showShare(after)}`
  return `${capitalize(describePointer(path))}: ${showValue(before)} → ${showValue(after)}`
}

const showShare = (percentage: JsonValue | undefined): string =>
  typeof percentage === 'number' ? `${percentage}%` : 'everyone'

/** Shows a value of a difference in few characters; nothing where there is none. */
export function showValue(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing'
  const text = typeof value === 'string' ? nameValue(value) : JSON.stringify(value)
  return text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX)}…` : text
}

const OUTCOMES: Readonly<Record<Outcome['action'], string>> = {
  create: 'is created',
  update: 'is changed',
  archive: 'is archived',
  unarchive: 'is unarchived',
  delete: 'is deleted',
}

/** Describes what an undo makes of a flag or a segment: "flag is changed", "segment is deleted". */
export const describeOutcome = (resource: Outcome['resource'], action: Outcome['action']): string =>
  `${resource} ${OUTCOMES[action]}`

/** Returns the fields that an undo cannot give back, from the refusal. */
export function conflictsOf(error: unknown): readonly RevertConflict[] {
  const found = error instanceof ApiError ? error.body.conflicts : undefined
  return Array.isArray(found) ? (found as RevertConflict[]) : []
}

/** Describes a conflict: "checkout: rollout percentage was changed again by bob@example.com". */
export function describeConflict({ changed_by, flag_key, path, segment_key }: RevertConflict): string {
  const field = describePointer(path) || 'it'
  const by = changed_by ? ` by ${changed_by.actor_email}` : ''
  return `${flag_key ?? segment_key}: ${field} was changed again${by}`
}
