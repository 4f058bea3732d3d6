import type { Caller } from '../caller.ts'
import type { Place, World } from '../world.ts'

/** A request that does what its endpoint is for, to a thing of its own. */
export interface Plan {
  /** The parameters of the path. */
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** The sender, if it is not the given caller. */
  readonly sender?: Caller
}

/**
 * Creates what a request needs, in the given project, so that an allowed caller gets a 2xx and no other cell
 * is affected. `caller` matters when the thing must be the caller's own.
 */
export type Planner = (world: World, place: Place, caller: Caller) => Promise<Plan>

/** One planner for each endpoint of a group of the contract. */
export type Planners<Group> = { readonly [Name in keyof Group]: Planner }
