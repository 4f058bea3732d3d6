import type { Flag, Warning } from '@burgee/contract'
import type { EnvironmentWrite } from '../../changes/index.ts'
import { findPrerequisiteWarnings } from './prerequisite-warnings.ts'
import { listFlags, readSegmentRules } from './queries.ts'
import { findRuleWarnings } from './rule-warnings.ts'
import { namesSegments } from './to-wire-flag.ts'

/** What is legal in a flag and probably a mistake (contract, section 3), judged against the environment as it now is. */
export async function findWarnings({ tx, environment }: EnvironmentWrite, flag: Flag): Promise<Warning[]> {
  const has_prerequisites = flag.prerequisites.length > 0
  const needs_segments = has_prerequisites || namesSegments(flag)
  const segments = needs_segments ? await readSegmentRules(tx, environment.id) : new Map()
  const flags = has_prerequisites ? await listFlags(tx, environment.id) : []
  const by_key = new Map(flags.map((other) => [other.key, other])).set(flag.key, flag)
  return [...findRuleWarnings(flag.rules, segments), ...findPrerequisiteWarnings(flag, by_key, segments)]
}
