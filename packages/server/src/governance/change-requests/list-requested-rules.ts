import type { EnvironmentRead } from '../../targeting/flag-model/index.ts'
import { readWaitingRules } from '../../targeting/flag-operations/index.ts'
import type { FlagRules } from '../../targeting/rules/index.ts'
import { listPendingBodies } from './queries.ts'

/** Lists the rules in pending change requests that name segments. */
export async function listRequestedRules({ environment, tx }: EnvironmentRead): Promise<FlagRules[]> {
  const pending = await listPendingBodies(tx, environment.id)
  return Promise.all(
    pending.map(async ({ body, flag_key }) => ({ flag_key, rules: await readWaitingRules(body) })),
  )
}
