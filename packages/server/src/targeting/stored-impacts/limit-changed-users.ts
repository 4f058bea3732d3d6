import { type Impact, type ImpactChange, type ImpactUser, mostChanged } from '@burgee/contract'
import { EnvironmentMoved } from '../../changes/index.ts'
import { conflict, Refusal } from '../../kernel/refusal.ts'
import type { EnvironmentScope, ProjectScope } from '../../kernel/scope.ts'

/** A write with a bound on the users whom it affects. */
export interface LimitedChange {
  /** The identity of the caller, who waits for a turn. */
  readonly caller: string
  readonly scope: Pick<ProjectScope, 'project_id'> & { readonly environment: EnvironmentScope }
  readonly change: ImpactChange
  /** The most users who may get another result; undefined for any number. */
  readonly maxChangedUsers: number | undefined
}

/** Computes the impact of changes that the caller may make. `app/flag-writes.ts` provides it. */
export type ImpactOf = (change: PlacedChanges) => Promise<Impact>

interface PlacedChanges {
  /** The identity of the caller: callers take turns. */
  readonly caller: string
  readonly project_id: string
  readonly environment_id: string
  readonly changes: readonly ImpactChange[]
  /** The users, instead of those that were seen. */
  readonly users?: readonly ImpactUser[] | undefined
}

/** The computations of the impact while other writes change the environment. */
const TRIES = 5

/**
 * Writes a change unless it affects more users than allowed: those who surely or possibly get another result.
 * The write is made at the revision of which the impact was computed. Refuses with `conflict` and the impact.
 */
export async function limitChangedUsers<T>(
  impactOf: ImpactOf,
  { caller, change, maxChangedUsers, scope }: LimitedChange,
  write: (atRevision?: number) => Promise<T>,
): Promise<T> {
  if (maxChangedUsers === undefined) return write()
  for (let tried = 0; tried < TRIES; tried += 1) {
    const place = { project_id: scope.project_id, environment_id: scope.environment.id }
    const impact = await impactOf({ ...place, caller, changes: [change] })
    const most = mostChanged(impact.changed)
    if (most > maxChangedUsers) throw tooManyUsers(impact, most, maxChangedUsers)
    try {
      return await write(impact.revision)
    } catch (error) {
      if (!(error instanceof EnvironmentMoved)) throw error
    }
  }
  throw conflict('The environment keeps changing, so the affected users cannot be counted. Try again.')
}

const tooManyUsers = (impact: Impact, most: number, max: number) =>
  new Refusal(
    'conflict',
    `The change affects up to ${most} of ${impact.users.all?.estimate ?? impact.users.known} recently seen users, and max_changed_users is ${max}. Nothing was applied.`,
    { impact },
  )
