import {
  type AppliedFlag,
  type AppliedSegment,
  ApplyInput,
  type InvariantCheck,
  InvariantInput,
} from '@burgee/contract'
import { createFlagSet, type FlagSet } from '@burgee/evaluation'
import { runSteps } from '@burgee/evaluation/walk'
import { toWantedFlag } from './features/apply/wanted-flag.ts'
import { toWireFlag } from './features/flags/to-wire-flag.ts'
import { decideInvariant } from './features/invariants/decide-invariant.ts'
import { findProblems } from './features/invariants/find-problems.ts'
import { covers, newInvariant } from './features/invariants/invariant.ts'
import { membersOf, type SegmentMembers } from './features/rules/segment-members.ts'
import { patchedContent } from './features/segments/to-segment-edit.ts'
import { validateSegment } from './features/segments/validate-segment.ts'
import { type ProblemDetail, Refusal } from './kernel/refusal.ts'

/** The flags, segments and invariants of files for one environment. */
export interface OfflineFiles {
  readonly segments: readonly unknown[]
  readonly flags: readonly unknown[]
  readonly invariants: readonly unknown[]
  /** The slugs of the environments that the files name, with that of these flags. */
  readonly slugs: readonly string[]
  /** The slug of the environment; undefined where the files name none. */
  readonly environment: string | undefined
}

/** The decisions on the invariants that cover the environment, or what is wrong in the files. */
export type OfflineResult =
  | { readonly checks: readonly InvariantCheck[] }
  | { readonly problems: readonly ProblemDetail[] }

/** The time of one walk, in milliseconds. */
const WALK_MS = 5_000

/**
 * Decides the invariants of files by the code of the server, without one: flags and segments are those that
 * an apply creates in an empty environment. Problems have a JSON pointer into the lists.
 */
export async function checkOffline(files: OfflineFiles): Promise<OfflineResult> {
  const { environment, invariants: given, slugs } = files
  const problems = await findSchemaProblems(files)
  if (problems.length > 0) return { problems }
  const flags = compileFlags(files, problems)
  const invariants = (given as readonly InvariantInput[]).map((input) => newInvariant(input, UNKNOWN))
  for (const [index, invariant] of invariants.entries())
    problems.push(...below(`/invariants/${index}`, findProblems(invariant, slugs, invariant)))
  if (problems.length > 0) return { problems }
  const covering = invariants.filter((one) =>
    environment === undefined ? one.environments === null : covers(one, environment),
  )
  return {
    checks: covering.map((one) => {
      const decided = runSteps(decideInvariant(flags, one, { time: WALK_MS }))
      if (decided.verdict === 'holds') return { key: one.key, verdict: decided.verdict }
      const example = decided.verdict === 'violated' ? decided.counterExample : undefined
      const { verdict, why } = decided
      return { key: one.key, verdict, why, ...(example && { counter_example: example }) }
    }),
  }
}

/**
 * Compiles flags and segments as SDKs receive them, by the code of the server, without one. They have the
 * form of `ApplyInput`. What is wrong beyond that is added to the problems, and left out.
 */
export function compileFlags(
  files: Pick<OfflineFiles, 'flags' | 'segments'>,
  problems: ProblemDetail[],
): FlagSet {
  const collect = collectInto(problems)
  const segments = new Map<string, SegmentMembers>()
  for (const [index, segment] of (files.segments as readonly AppliedSegment[]).entries())
    collect(`/segments/${index}`, () => segments.set(segment.key, readSegment(segment)))
  const flags = createFlagSet()
  for (const [index, flag] of (files.flags as readonly AppliedFlag[]).entries())
    collect(`/flags/${index}`, () => addFlag(flags, flag, segments))
  return flags
}

const UNKNOWN = { created_at: '', created_by: '' }

function readSegment(segment: AppliedSegment): SegmentMembers {
  const content = patchedContent(null, segment.key, segment)
  validateSegment(content)
  return membersOf(content)
}

function addFlag(flags: FlagSet, fields: AppliedFlag, segments: ReadonlyMap<string, SegmentMembers>): void {
  const wanted = toWantedFlag({ before: null, fields, name: undefined, now: new Date(0).toISOString() })
  if (wanted?.after.archived_at === null) flags.upsert(toWireFlag(wanted.after, segments))
}

/** Adds the problems of what is refused. Any other error is thrown. */
const collectInto = (problems: ProblemDetail[]) => (path: string, work: () => unknown) => {
  try {
    work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    problems.push(...below(path, error.extras.details ?? [{ path: '', message: error.message }]))
  }
}

const below = (path: string, problems: readonly ProblemDetail[]): ProblemDetail[] =>
  problems.map((problem) => ({ ...problem, path: path + problem.path }))

async function findSchemaProblems({ flags, invariants, segments }: OfflineFiles): Promise<ProblemDetail[]> {
  const { Errors } = await import('typebox/value')
  return [
    ...Errors(ApplyInput, { flags, segments }).map(({ instancePath, message }) => ({
      path: instancePath,
      message,
    })),
    ...invariants.flatMap((invariant, index) =>
      Errors(InvariantInput, invariant).map(({ instancePath, message }) => ({
        path: `/invariants/${index}${instancePath}`,
        message,
      })),
    ),
  ]
}
