import type { Flag, Warning } from '@burgee/contract'
import { shareTurn } from '../../platform/turns.ts'
import { findRuleWarnings, readSegmentRules } from '../rules/index.ts'
import type { EnvironmentRead } from './environment-read.ts'
import { findPrerequisiteWarnings } from './prerequisite-warnings.ts'
import { listReachableFlags } from './queries.ts'
import { namesSegments } from './to-wire-flag.ts'
import { findValueWarnings } from './value-warnings.ts'

/**
 * Returns warnings for what is valid in a flag and probably a mistake (docs/reference/api.md), compared with
 * the current environment. A write holds the environment's lock meanwhile, so only flags that the
 * prerequisites reach are read.
 */
export async function findWarnings({ environment, tx }: EnvironmentRead, flag: Flag): Promise<Warning[]> {
  const keys = flag.prerequisites.map(({ flag_key }) => flag_key)
  const reachable =
    keys.length > 0 ? await listReachableFlags(tx, environment.id, { keys, except: flag.key }) : []
  const needsSegments = [flag, ...reachable].some(namesSegments)
  const segments = needsSegments ? await readSegmentRules(tx, environment.id) : new Map()
  const byKey = new Map(reachable.map((other) => [other.key, other])).set(flag.key, flag)
  await shareTurn()
  const aboutRules = findRuleWarnings(flag.rules, segments)
  await shareTurn()
  const aboutValues = findValueWarnings(flag, segments)
  await shareTurn()
  return [...aboutRules, ...aboutValues, ...findPrerequisiteWarnings(flag, byKey, segments)]
}
