import type { Draft } from './draft.ts'
import type { Random } from './random.ts'

/** Makes a request invalid or hostile. */
export type Mutation = (random: Random, draft: Draft, smuggled: Smuggled) => Draft

/**
 * Ids that most callers may not see, by their names in the API; they are sent where they are not declared.
 */
export type Smuggled = Readonly<Record<string, string>>

/** Adds a mutation and the statuses that it allows. */
export const invite = (draft: Draft, how: string, statuses: readonly number[]) => ({
  invited: [...draft.invited, ...statuses],
  how: [...draft.how, how],
})
