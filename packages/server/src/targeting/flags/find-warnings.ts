import { type Flag, segmentsNamedBy, type Warning } from '@burgee/contract'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import type { EnvironmentRead } from '../flag-model/index.ts'
import {
  findHiddenWarnings,
  findPrerequisiteWarnings,
  findValueWarnings,
  findVisibleDependent,
} from '../flag-model/index.ts'
import { findRuleWarnings, type Segments } from '../rules/index.ts'
import { readReachedSegments } from '../segment-rows/index.ts'
import { listNeedingFlags, listReachableFlags } from './queries.ts'

/** The rows that the warnings of a flag are computed from. */
export interface WarningsRead {
  readonly flag: Flag
  /** The flag and all that its prerequisites reach, by key; null when these are too large to be read. */
  readonly flags: ReadonlyMap<string, Flag> | null
  /** The segments that these flags reach; null when they are too large to be read for warnings. */
  readonly segments: Segments | null
  /** A flag visible to client keys that needs this hidden one; undefined where there is none. */
  readonly visibleDependent?: string | undefined
}

/**
 * Returns warnings for what is valid in a flag and probably a mistake (docs/reference/api.md), compared with
 * the current environment.
 */
export async function findWarnings(read: EnvironmentRead, flag: Flag): Promise<Warning[]> {
  return computeWarnings(await readForWarnings(read, flag))
}

/**
 * Reads what the warnings depend on. A write holds the environment's lock meanwhile, so only flags that the
 * prerequisites reach are read, and only segments that these flags reach.
 */
export async function readForWarnings(
  { environment, tx }: EnvironmentRead,
  flag: Flag,
): Promise<WarningsRead> {
  const keys = flag.prerequisites.map(({ flag_key }) => flag_key)
  const reachable =
    keys.length > 0 ? await listReachableFlags(tx, environment.id, { keys, except: flag.key }) : []
  const flags = reachable && new Map(reachable.map((other) => [other.key, other])).set(flag.key, flag)
  const named = new Set(
    [...(flags?.values() ?? [flag])].flatMap(({ rules }) => rules.flatMap(segmentsNamedBy)),
  )
  const segments = await readReachedSegments(tx, environment.id, [...named])
  const isHidden = flag.client_visible === false && flag.archived_at === null
  if (!isHidden) return { flag, flags, segments }
  const needing = await listNeedingFlags(tx, environment.id)
  return { flag, flags, segments, visibleDependent: await findVisibleDependent(flag.key, needing) }
}

/**
 * Computes the warnings. Those about segments and about prerequisites are left out when the segments or the
 * flags were too large to be read.
 */
export async function computeWarnings(read: WarningsRead): Promise<Warning[]> {
  const { flag, flags, segments } = read
  const aboutRules = await findRuleWarnings(flag.rules, segments)
  await shareTurn()
  const aboutValues = findValueWarnings(flag, segments ?? new Map())
  await shareTurn()
  const aboutPrerequisites = flags ? await findPrerequisiteWarnings(flag, flags, segments) : []
  const aboutHidden = await findHiddenWarnings(flag, flags ?? new Map(), read.visibleDependent)
  return [...aboutRules, ...aboutValues, ...aboutPrerequisites, ...aboutHidden]
}
