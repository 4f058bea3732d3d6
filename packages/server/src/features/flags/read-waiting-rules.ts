import type { TargetingRule } from '@burgee/contract'
import { Refusal } from '../../kernel/refusal.ts'
import { toRule } from './flag.ts'
import type { FlagOperation } from './flag-operation.ts'
import { readStoredOperation } from './stored-operation.ts'

/** Rules of a flag that wait for approval, or for their time. */
export interface WaitingRules {
  readonly flag_key: string
  readonly rules: readonly TargetingRule[]
}

/**
 * Returns the rules of a stored operation; none when it cannot be read any more and will never be applied.
 */
export async function readWaitingRules(stored: unknown): Promise<readonly TargetingRule[]> {
  try {
    return rulesOf(await readStoredOperation(stored))
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

function rulesOf(operation: FlagOperation): readonly TargetingRule[] {
  switch (operation.operation) {
    case 'patch':
      return (operation.patch.rules ?? []).map(toRule)
    case 'replace':
      return (operation.flag.rules ?? []).map(toRule)
    case 'promote':
    case 'restore':
      return operation.flag.rules
    default:
      return []
  }
}
