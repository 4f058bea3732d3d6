import { type ApplyResult, splitApply } from '@burgee/contract'
import type { ImportResult } from '@burgee/importers'
import type { CommandContext } from '../command-context.ts'
import { EXIT } from '../exit-codes.ts'
import { type Edited, type Unedited, withoutEdited } from './find-edited.ts'

interface Applied {
  readonly applied: readonly ApplyResult[]
  /** The things that were edited here since an earlier import; empty without one. */
  readonly edited: readonly Edited[]
}

/**
 * Applies the only environment of an import to that of --env, in parts where one call does not take it. After
 * an earlier import, what was edited here meanwhile stays.
 */
export async function applyImport(
  context: CommandContext,
  { environments: [imported] }: ImportResult,
  earlier: ImportResult | null,
): Promise<Applied> {
  if (!imported) return { applied: [], edited: [] }
  const { id } = await context.environment()
  const before = earlier?.environments.find(({ environment }) => environment === imported.environment)
  const { edited, environment }: Unedited = before
    ? await withoutEdited(context, before, imported)
    : { edited: [], environment: imported }
  const parts = splitApply(environment.segments, environment.flags)
  const results: ApplyResult[] = []
  const progress = context.progress('Applying')
  for (const body of parts) {
    progress.update(results.length, parts.length)
    results.push(await context.api().call('applyEnvironment', { params: { env_id: id }, body }))
  }
  progress.end()
  if (results.some(({ change_requests = [] }) => change_requests.length > 0)) context.endWith(EXIT.waits)
  return { applied: results, edited }
}
