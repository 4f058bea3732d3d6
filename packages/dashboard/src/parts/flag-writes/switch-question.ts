import type { Environment } from '@burgee/contract'
import { isProduction } from '../../shared/scope/is-production.ts'

type SwitchScope = Pick<Environment, 'name' | 'slug' | 'require_approval' | 'require_comment'>

/**
 * The question before a flag is switched, from the environment's name on; null where it is switched at once.
 */
export function switchQuestion(environment: SwitchScope | undefined): string | null {
  if (!environment) return null
  const { name, require_approval, require_comment } = environment
  if (!require_approval && !require_comment && !isProduction(environment)) return null
  return `${name}? ${switchConsequence(environment)}`.trimEnd()
}

/** The effect of a switch in that environment, in a sentence; empty where it needs none. */
export function switchConsequence(environment: SwitchScope): string {
  if (environment.require_approval) return 'Nothing changes until someone else approves it.'
  return isProduction(environment) ? 'Connected programs follow within a second.' : ''
}
