import {
  type AppliedChange,
  type Environment,
  type ImportResult,
  type ListedFlag,
  splitApply,
} from '@burgee/contract'
import { call } from '../../shared/api/call.ts'
import { findRefused, type Refused } from './find-refused.ts'
import {
  type EnvironmentPlan,
  type ImportedEnvironment,
  type ImportPart,
  refuseManaged,
  withDependents,
} from './import-plan.ts'
import type { Mapping } from './map-environments.ts'
import type { Progress } from './use-progress.ts'

interface PreviewAll extends Pick<PreviewInput, 'project_id' | 'overrideReason' | 'signal'> {
  readonly environments: readonly Environment[]
  readonly mapping: Mapping
  readonly onProgress: (progress: Progress) => void
}

/** Compares each environment of the files with the one that it goes into. Nothing is stored. */
export async function previewAll(
  result: ImportResult,
  { environments, mapping, onProgress, ...input }: PreviewAll,
): Promise<EnvironmentPlan[]> {
  const plans: EnvironmentPlan[] = []
  const chosen = result.environments.flatMap((imported) => {
    const target = environments.find(({ id }) => id === mapping.get(imported.environment))
    return target ? [{ imported, target }] : []
  })
  for (const [position, { imported, target }] of chosen.entries()) {
    const label = `Comparing ${imported.flags.length.toLocaleString('en')} flags with ${target.name}`
    const report = (share: number) =>
      onProgress({ share: (position + share) / chosen.length, label, canCancel: true })
    report(0)
    plans.push(await previewImport({ ...input, imported, target, onProgress: report }))
  }
  return plans
}

interface PreviewInput {
  readonly imported: ImportedEnvironment
  readonly project_id: string
  readonly target: Environment
  /** With a reason, what violates invariants is not left out. */
  readonly overrideReason: string | undefined
  readonly signal: AbortSignal
  readonly onProgress: (share: number) => void
}

/** Each attempt leaves out what the one before has found: the server names at most 50 problems of a part. */
const ATTEMPTS_MAX = 20

/** Makes dry runs of `apply` until the server refuses nothing. */
async function previewImport(input: PreviewInput): Promise<EnvironmentPlan> {
  const { imported, overrideReason, signal, target } = input
  const listed = await call('listFlags', { params: { env_id: target.id } }, { signal })
  const present = new Map<string, ListedFlag>(listed.map((flag) => [flag.key, flag]))
  let refused = withDependents(imported.flags, refuseManaged(imported.flags, present))
  const violating = new Set<string>()
  for (let attempt = 1; ; attempt += 1) {
    const kept = { ...imported, flags: imported.flags.filter(({ key }) => !refused.has(key)) }
    const { changes, overridden, problems } = await tryParts(splitApply(kept.segments, kept.flags), input)
    if (problems === null) {
      const override =
        overrideReason !== undefined && overridden.length > 0
          ? { reason: overrideReason, violations: overridden }
          : null
      const source = imported.environment
      return { source, target, imported: kept, changes, refused, violating, override, present }
    }
    if (attempt === ATTEMPTS_MAX) throw problems.error
    for (const key of problems.violating) violating.add(key)
    refused = withDependents(imported.flags, new Map([...refused, ...problems.reasons]))
  }
}

interface Tried {
  readonly changes: readonly AppliedChange[]
  /** The violations that the reason overrides. */
  readonly overridden: readonly string[]
  readonly problems: {
    readonly reasons: ReadonlyMap<string, string>
    /** The flags that are refused by an invariant. */
    readonly violating: readonly string[]
    readonly error: unknown
  } | null
}

async function tryParts(parts: readonly ImportPart[], input: PreviewInput): Promise<Tried> {
  const changes: AppliedChange[] = []
  const overridden: string[] = []
  const reasons = new Map<string, string>()
  const violating: string[] = []
  let error: unknown = null
  for (const [index, part] of parts.entries()) {
    input.onProgress(index / parts.length)
    const tried = await tryPart(part, input)
    changes.push(...tried.changes)
    overridden.push(...tried.overridden)
    if (!tried.refused) continue
    error = tried.error
    if (tried.refused.violations.length > 0) violating.push(...tried.refused.reasons.keys())
    for (const [key, reason] of tried.refused.reasons) reasons.set(key, reason)
  }
  return { changes, overridden, problems: error === null ? null : { reasons, violating, error } }
}

/** Tries a part, and with the override again where only an invariant refuses it. */
async function tryPart(part: ImportPart, input: PreviewInput) {
  const first = await dryRun(part, input, undefined)
  const violations = first.refused?.violations ?? []
  const isOverridden = violations.length > 0 && input.overrideReason !== undefined
  const last = isOverridden ? await dryRun(part, input, input.overrideReason) : first
  // A refusal that names no flag of the part is one of the whole import.
  if (last.refused && last.refused.reasons.size === 0) throw last.error
  return { ...last, overridden: isOverridden ? violations : [] }
}

interface DryRun {
  readonly changes: readonly AppliedChange[]
  readonly refused: Refused | null
  readonly error: unknown
}

async function dryRun(
  part: ImportPart,
  { project_id, signal, target }: PreviewInput,
  overrideReason: string | undefined,
): Promise<DryRun> {
  try {
    const input = { params: { env_id: target.id }, body: { ...part, dry_run: true } }
    const { changes } = await call('applyEnvironment', input, {
      ...{ overrideReason, signal },
      handlesViolations: true,
    })
    return { changes, refused: null, error: null }
  } catch (error) {
    const refused = await findRefused(error, part, project_id)
    if (!refused) throw error
    return { changes: [], refused, error }
  }
}
