import type { DriftNote, Environment } from '@burgee/contract'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'
import { useScope } from '../../shared/scope/use-scope.ts'

const NO_NOTES: readonly DriftNote[] = []

/** Reads the notes of the project, by the key of the flag. */
export function useDriftNotes(): ReadonlyMap<string, DriftNote> {
  const { project_id } = useScope()
  const { data = NO_NOTES } = useQuery(endpointQuery('listDriftNotes', { params: { project_id } }))
  return new Map(data.map((note) => [note.flag_key, note]))
}

type Place = Pick<Environment, 'id' | 'slug'>

/** True for a note about these two environments, in either order. */
export function isOfPair({ source, target }: Pick<DriftNote, 'source' | 'target'>, one: Place, other: Place) {
  const names = (name: string, { id, slug }: Place) => name === id || name === slug
  return (names(source, one) && names(target, other)) || (names(source, other) && names(target, one))
}

/** True while the note holds: it has no end, or a later one than `nowMs`. */
export const holds = ({ expires_at }: Pick<DriftNote, 'expires_at'>, nowMs: number): boolean =>
  expires_at === null || Date.parse(expires_at) > nowMs
