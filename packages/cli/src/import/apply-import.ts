import { type ApplyResult, splitApply } from '@burgee/contract'
import type { ImportResult } from '@burgee/importers'
import type { CommandContext } from '../command-context.ts'
import { EXIT } from '../exit-codes.ts'

/** Applies the only environment of an import to that of --env, in parts where one call does not take it. */
export async function applyImport(
  context: CommandContext,
  { environments: [imported] }: ImportResult,
): Promise<ApplyResult[]> {
  if (!imported) return []
  const { id } = await context.environment()
  const parts = splitApply(imported.segments, imported.flags)
  const results: ApplyResult[] = []
  const progress = context.progress('Applying')
  for (const body of parts) {
    progress.update(results.length, parts.length)
    results.push(await context.api().call('applyEnvironment', { params: { env_id: id }, body }))
  }
  progress.end()
  if (results.some(({ change_requests = [] }) => change_requests.length > 0)) context.endWith(EXIT.waits)
  return results
}
