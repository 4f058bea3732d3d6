import type { Violation } from '@burgee/contract'
import { ApiError } from '../api/api-error.ts'

/** Resolves with the reason, or with null when the person gives none or may not override. */
type AskForOverride = (violations: readonly Violation[]) => Promise<string | null>

let asker: AskForOverride | null = null

/** Sets the dialog that requests reasons. Returns the function that removes it. */
export function setOverrideAsker(ask: AskForOverride): () => void {
  asker = ask
  return () => {
    if (asker === ask) asker = null
  }
}

/** Requests the reason for overriding invariants that block a write. Null: the write is not sent again. */
export const askForOverride: AskForOverride = async (violations) =>
  asker && violations.length > 0 ? asker(violations) : null

/** Returns the invariants for which the server refuses a write; none for another error. */
export function violationsOf(error: unknown): readonly Violation[] {
  const violations = error instanceof ApiError && error.status === 422 ? error.body.violations : undefined
  // The contract says what the field holds.
  return Array.isArray(violations) ? (violations as Violation[]) : []
}
