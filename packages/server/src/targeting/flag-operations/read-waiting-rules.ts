import type { TargetingRule } from '@burgee/contract'
import { Refusal } from '../../kernel/refusal.ts'
import type { FlagOperation } from '../flag-model/index.ts'
import { readStoredOperation } from '../flag-model/index.ts'
import { toRule } from '../rules/index.ts'

/** The rules that a stored operation brings; none where it can no longer be read, and so is never applied. */
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
