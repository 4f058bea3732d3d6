import { continueMurmur3, type Murmur3State, startMurmur3 } from './murmur3.ts'

const BUCKETS = 100

/** The gate in front of the flag's value (specification, "Flag evaluation", step 5). */
export interface Rollout {
  /** 0 to 100. */
  readonly percentage: number
  /** The hash of `<flag key>:`, to be continued with a user key. */
  readonly prefix: Murmur3State
}

export function compileRollout(flagKey: string, percentage: number): Rollout {
  return { percentage, prefix: startMurmur3(`${flagKey}:`) }
}

/** Whether the user's bucket, 0 to 99, lies below the percentage. Without a user key nobody is inside a partial rollout. */
export function isInside(rollout: Rollout, userKey: string | null): boolean {
  const { percentage } = rollout
  if (percentage === BUCKETS) return true
  if (percentage === 0 || userKey === null) return false
  return (continueMurmur3(rollout.prefix, userKey) >>> 0) % BUCKETS < percentage
}
