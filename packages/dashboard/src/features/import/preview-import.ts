import { type AppliedChange, type Environment, type ListedFlag, splitApply } from '@burgee/contract'
import { call } from '../../shared/api/call.ts'
import { findRefused } from './find-refused.ts'
import {
  type EnvironmentPlan,
  type ImportedEnvironment,
  type ImportPart,
  refuseManaged,
  withDependents,
} from './import-plan.ts'

/** The work that is done, from 0 to 1, and the name of what is under way. */
export interface Progress {
  readonly share: number
  readonly label: string
}

interface PreviewInput {
  readonly imported: ImportedEnvironment
  readonly project_id: string
  readonly target: Environment
  readonly onProgress: (share: number) => void
}

/** Each attempt leaves out what the one before has found: the server names at most 50 problems of a part. */
const ATTEMPTS_MAX = 20

/** Makes dry runs of `apply` until the server refuses nothing. Nothing is stored. */
export async function previewImport(input: PreviewInput): Promise<EnvironmentPlan> {
  const { imported, target } = input
  const listed = await call('listFlags', { params: { env_id: target.id } })
  const present = new Map<string, ListedFlag>(listed.map((flag) => [flag.key, flag]))
  let refused = withDependents(imported.flags, refuseManaged(imported.flags, present))
  for (let attempt = 1; ; attempt += 1) {
    const kept = { ...imported, flags: imported.flags.filter(({ key }) => !refused.has(key)) }
    const found = await tryParts(splitApply(kept.segments, kept.flags), input)
    if (found.problems === null) {
      return {
        source: imported.environment,
        target,
        imported: kept,
        changes: found.changes,
        refused,
        present,
      }
    }
    if (attempt === ATTEMPTS_MAX) throw found.problems.error
    refused = withDependents(imported.flags, new Map([...refused, ...found.problems.reasons]))
  }
}

interface Tried {
  readonly changes: readonly AppliedChange[]
  readonly problems: { readonly reasons: ReadonlyMap<string, string>; readonly error: unknown } | null
}

async function tryParts(
  parts: readonly ImportPart[],
  { onProgress, project_id, target }: Omit<PreviewInput, 'imported'>,
): Promise<Tried> {
  const changes: AppliedChange[] = []
  const reasons = new Map<string, string>()
  let refusal: unknown = null
  for (const [index, part] of parts.entries()) {
    onProgress(index / parts.length)
    try {
      const body = { ...part, dry_run: true }
      const input = { params: { env_id: target.id }, body }
      changes.push(...(await call('applyEnvironment', input, { handlesViolations: true })).changes)
    } catch (error) {
      const found = await findRefused(error, part, project_id)
      if (!found) throw error
      refusal = error
      for (const [key, reason] of found) reasons.set(key, reason)
    }
  }
  return { changes, problems: refusal === null ? null : { reasons, error: refusal } }
}
