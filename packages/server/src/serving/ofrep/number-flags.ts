import type { Kysely } from 'kysely'
import type { EvaluationSet } from '../../kernel/evaluation-set.ts'
import type { WireFlag } from '../../kernel/wire-flag.ts'
import { isDatabaseUnavailable } from '../../platform/db/database-unavailable.ts'
import type { Database } from '../../platform/db/tables.ts'
import { listNumberFlags } from '../../targeting/flags/index.ts'
import { numberKind } from './number-kind.ts'

/**
 * Knows the flags whose values are written with a fraction: json flags of numbers of which one has a
 * fraction, or whose schema states `number`. SDKs do not receive schemas, so those of doubtful flags are read
 * from the database, once for each revision of a flag.
 */
export interface NumberFlags {
  /** Returns the keys, or a promise of them while schemas have to be read. */
  of(set: EvaluationSet): ReadonlySet<string> | Promise<ReadonlySet<string>>
}

interface Known {
  revision: number
  keys: Set<string>
  /** The responses of the database, by key. */
  readonly schemas: Map<string, { readonly revision: number; readonly isNumber: boolean }>
}

export function createNumberFlags({ db }: { readonly db: Kysely<Database> }): NumberFlags {
  const known = new WeakMap<EvaluationSet, Known>()

  /** Sorts the flags out, and returns those whose schema is not known. */
  function sortOut(set: EvaluationSet, own: Known): WireFlag[] {
    const keys = new Set<string>()
    const doubtful: WireFlag[] = []
    for (const key of set.keys('server')) {
      const flag = set.flag(key, 'server')
      if (!flag) continue
      const kind = numberKind(flag)
      const schema = own.schemas.get(key)
      const isCurrent = schema?.revision === flag.revision
      if (kind === 'fractions' || (kind === 'whole' && isCurrent && schema.isNumber)) keys.add(key)
      else if (kind === 'whole' && !isCurrent) doubtful.push(flag)
    }
    own.keys = keys
    own.revision = doubtful.length === 0 ? set.revision : -1
    return doubtful
  }

  async function readSchemas(set: EvaluationSet, own: Known, doubtful: readonly WireFlag[]) {
    const keys = doubtful.map(({ key }) => key)
    try {
      const numbers = new Set(await listNumberFlags(db, set.environment_id, keys))
      for (const { key, revision } of doubtful) {
        own.schemas.set(key, { revision, isNumber: numbers.has(key) })
      }
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
    }
    // Flags that were changed meanwhile are read with the next request.
    sortOut(set, own)
    return own.keys
  }

  return {
    of(set) {
      const own = known.get(set) ?? { revision: -1, keys: new Set(), schemas: new Map() }
      known.set(set, own)
      if (own.revision === set.revision) return own.keys
      const doubtful = sortOut(set, own)
      return doubtful.length === 0 ? own.keys : readSchemas(set, own, doubtful)
    },
  }
}
