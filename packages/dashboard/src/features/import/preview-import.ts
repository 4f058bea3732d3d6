import {
  type AppliedChange,
  type ApplyPart,
  type Environment,
  type FlagInput,
  type ListedFlag,
  type SegmentInput,
  splitApply,
} from '@burgee/contract'
import { ApiError, type ErrorDetail, hasStatus } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/call.ts'
import { describeDetail } from '../../shared/api/plain-text.ts'
import {
  type EnvironmentPlan,
  type ImportedEnvironment,
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
  readonly target: Environment
  readonly onProgress: (share: number) => void
}

export type ImportPart = ApplyPart<SegmentInput, FlagInput>

/** Each attempt leaves out what the one before has found: the server names at most 50 problems of a part. */
const ATTEMPTS_MAX = 20

/** Makes dry runs of `apply` until the server refuses nothing. Nothing is stored. */
export async function previewImport({
  imported,
  onProgress,
  target,
}: PreviewInput): Promise<EnvironmentPlan> {
  const listed = await call('listFlags', { params: { env_id: target.id } })
  const present = new Map<string, ListedFlag>(listed.map((flag) => [flag.key, flag]))
  let refused = withDependents(imported.flags, refuseManaged(imported.flags, present))
  for (let attempt = 1; ; attempt += 1) {
    const kept = { ...imported, flags: imported.flags.filter(({ key }) => !refused.has(key)) }
    const found = await tryParts(splitApply(kept.segments, kept.flags), target, onProgress)
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
  target: Environment,
  onProgress: (share: number) => void,
): Promise<Tried> {
  const changes: AppliedChange[] = []
  const reasons = new Map<string, string>()
  let refusal: unknown = null
  for (const [index, part] of parts.entries()) {
    onProgress(index / parts.length)
    try {
      const body = { ...part, dry_run: true }
      changes.push(...(await call('applyEnvironment', { params: { env_id: target.id }, body })).changes)
    } catch (error) {
      const found =
        hasStatus(error, 422) && error instanceof ApiError ? flagProblems(error.details, part) : null
      if (!found) throw error
      refusal = error
      for (const [key, reason] of found) reasons.set(key, reason)
    }
  }
  return { changes, problems: refusal === null ? null : { reasons, error: refusal } }
}

/**
 * Returns the reason for each flag that a refusal names. Null where it names something else: a flag without
 * its segment would be another flag.
 */
export function flagProblems(
  details: readonly ErrorDetail[],
  { flags }: Pick<ImportPart, 'flags'>,
): Map<string, string> | null {
  const reasons = new Map<string, string>()
  for (const { message, path } of details) {
    const [start, position] = /^\/flags\/(\d+)/.exec(path) ?? []
    const key = flags[Number(position)]?.key
    if (start === undefined || key === undefined) return null
    if (!reasons.has(key)) reasons.set(key, describeDetail({ message, path: path.slice(start.length) }))
  }
  return reasons.size === 0 ? null : reasons
}
