import { invalid } from '../kernel/refusal.ts'
import type { FlagChange } from './flag-change.ts'
import type { StoredText } from './stored-text.ts'

/** The step in which sizes are counted: most changes of a flag then do not change its size. */
const STEP_BYTES = 256
const MIB = 1024 * 1024
/** The bytes that disabling a flag may add to it. */
const GROWTH_FREE_BYTES = 1024

/** The bytes that SDKs receive of a flag; 0 when it is deleted or archived. */
export interface FlagSize {
  readonly flag_key: string
  readonly bytes: number
}

/**
 * Returns the sizes after the changes, without those that the flags are known to have already. `texts` are
 * those of the changes, in order.
 */
export const wireSizes = (
  changes: readonly FlagChange[],
  texts: readonly (StoredText | undefined)[],
): FlagSize[] =>
  changes.flatMap(({ flag_key, kind, wire_bytes }, nth) => {
    const bytes = inSteps(texts[nth]?.size ?? 0)
    return kind === 'none' || bytes === wire_bytes ? [] : [{ flag_key, bytes }]
  })

const inSteps = (bytes: number): number => Math.ceil(bytes / STEP_BYTES) * STEP_BYTES

interface WireUse {
  /** The bytes that SDKs of the environment receive with the write. */
  readonly wire_bytes: number
  /** The bytes that the write adds to them. */
  readonly wire_growth: number
  /** True when the write disables, archives or deletes. */
  readonly isRelief: boolean
}

/** Refuses with `invalid` a write after which SDKs of an environment would receive more than allowed. */
export function requireSendableSize(use: WireUse, maxBytes: number | undefined): void {
  const { isRelief, wire_bytes, wire_growth } = use
  if (maxBytes === undefined || wire_bytes <= maxBytes || wire_growth <= 0) return
  if (isRelief && wire_growth <= GROWTH_FREE_BYTES) return
  throw invalid([
    {
      path: '',
      message:
        `SDKs of this environment would receive ${inMegabytes(wire_bytes)} MB of flags, with their segments expanded; ` +
        `they may receive ${inMegabytes(maxBytes)} MB. ` +
        'Archive or delete flags, make segments smaller or name them in fewer rules, or raise ENVIRONMENT_WIRE_MB. ' +
        'Flags can still be disabled, archived and deleted.',
    },
  ])
}

const inMegabytes = (bytes: number): string => Math.ceil(bytes / MIB).toLocaleString('en-US')
