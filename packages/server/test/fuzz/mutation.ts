import type { Draft } from './draft.ts'
import type { Random } from './random.ts'

/** Does something bad to a request. */
export type Mutation = (random: Random, draft: Draft, smuggled: Smuggled) => Draft

/** Ids of what most callers may not see, by the names that the server gives them; sent where nobody asks for them. */
export type Smuggled = Readonly<Record<string, string>>

/** What was done to a request, and the statuses that may answer it for that. */
export const invite = (draft: Draft, how: string, statuses: readonly number[]) => ({
  invited: [...draft.invited, ...statuses],
  how: [...draft.how, how],
})
