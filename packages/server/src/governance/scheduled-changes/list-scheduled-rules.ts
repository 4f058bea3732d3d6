import type { EnvironmentRead } from '../../targeting/flag-model/index.ts'
import { readWaitingRules } from '../../targeting/flag-operations/index.ts'
import type { FlagRules } from '../../targeting/rules/index.ts'
import { listPendingPatches } from './segment-queries.ts'

/** Lists the rules in scheduled changes that name segments. */
export async function listScheduledRules({ environment, tx }: EnvironmentRead): Promise<FlagRules[]> {
  const pending = await listPendingPatches(tx, environment.id)
  return Promise.all(
    pending.map(async ({ flag_key, patch }) => ({
      flag_key,
      rules: await readWaitingRules({ operation: 'patch', patch }),
    })),
  )
}
