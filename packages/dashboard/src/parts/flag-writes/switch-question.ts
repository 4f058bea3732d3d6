import type { Environment } from '@burgee/contract'
import { isProduction } from '../../shared/scope/is-production.ts'

type SwitchScope = Pick<Environment, 'name' | 'slug' | 'require_approval' | 'require_comment'>

/**
 * The question before a flag is switched, from the environment's name on; null where it is switched at once.
 */
export function switchQuestion(environment: SwitchScope | undefined): string | null {
  if (environment?.require_approval) {
    return `${environment.name}? Nothing changes until someone else approves it.`
  }
  if (environment && isProduction(environment)) {
    return `${environment.name}? Connected programs follow within a second.`
  }
  if (environment?.require_comment) return `${environment.name}?`
  return null
}
