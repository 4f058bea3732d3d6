import type { Caller } from '../caller.ts'
import type { Place, World } from '../world.ts'

/** A request that does what its endpoint is for, to a thing of its own. */
export interface Plan {
  /** What fills the path. */
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Who sends it, where that is not the caller who was asked for. */
  readonly sender?: Caller
}

/**
 * Makes what a request needs, in the given project, so that a caller who may gets a 2xx and no other cell is disturbed.
 * `caller` matters where the thing must be the caller's own.
 */
export type Planner = (world: World, place: Place, caller: Caller) => Promise<Plan>

/** One for each endpoint of a group of the contract. */
export type Planners<Group> = { readonly [Name in keyof Group]: Planner }
