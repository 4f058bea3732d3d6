import { USER_DATA } from '../shared/user-data.ts'

const REMEMBERED = USER_DATA.place

/** A project and one of its environments. */
export interface Place {
  readonly project_id: string
  readonly environment_id: string
}

/** Remembers the last place in this browser. */
export function rememberPlace(place: Place): void {
  try {
    localStorage.setItem(REMEMBERED, JSON.stringify(place))
  } catch {
    // Storage is blocked: the default environment opens next time.
  }
}

/** The last place in this browser; empty where none is remembered. It may have been deleted since. */
export function recallPlace(): Partial<Place> {
  try {
    const place: unknown = JSON.parse(localStorage.getItem(REMEMBERED) ?? 'null')
    return typeof place === 'object' && place !== null ? place : {}
  } catch {
    return {}
  }
}
