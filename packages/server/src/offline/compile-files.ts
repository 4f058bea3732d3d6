import { type AppliedFlag, type AppliedSegment, ApplyInput } from '@burgee/contract'
import { createFlagSet, type FlagSet } from '@burgee/evaluation'
import { requireUnique } from '../governance/apply/require-unique.ts'
import { wantedSteps } from '../governance/apply/wanted-flag.ts'
import { createCheckBudget } from '../kernel/check-budget.ts'
import { type ProblemDetail, Refusal } from '../kernel/refusal.ts'
import type { WireFlag } from '../kernel/wire-flag.ts'
import { atOnce } from '../platform/concurrency/turns.ts'
import { isNumberSchema, numberKind } from '../serving/ofrep/number-kind.ts'
import { toWireFlag } from '../targeting/flag-model/to-wire-flag.ts'
import { membersOf, type SegmentMembers } from '../targeting/rules/segment-members.ts'
import { patchedContent } from '../targeting/segments/to-segment-edit.ts'
import { validateSegment } from '../targeting/segments/validate-segment.ts'

/** The segments and flags of files for one environment. */
export interface FlagFiles {
  readonly segments: readonly unknown[]
  readonly flags: readonly unknown[]
}

/** A flag as SDKs receive it, and whether OFREP writes its values with a fraction. */
export interface CompiledFlag {
  readonly flag: WireFlag
  readonly isNumber: boolean
}

/** Returns where segments and flags do not have the form of `ApplyInput`, as JSON pointers into the lists. */
export async function findSchemaProblems({ flags, segments }: FlagFiles): Promise<ProblemDetail[]> {
  const { Errors } = await import('typebox/value')
  return Errors(ApplyInput, { flags, segments }).map(({ instancePath, message }) => ({
    path: instancePath,
    message,
  }))
}

/**
 * Expands flags and segments for SDKs by the code of the server, without one: they are those that an apply
 * creates in an empty environment. They have the form of `ApplyInput`. What is wrong beyond that is added to
 * the problems, and left out.
 */
export function compileFiles(files: FlagFiles, problems: ProblemDetail[]): CompiledFlag[] {
  const collect = collectInto(problems)
  collect('', () => requireUnique(files as ApplyInput))
  const segments = new Map<string, SegmentMembers>()
  for (const [index, segment] of (files.segments as readonly AppliedSegment[]).entries())
    collect(`/segments/${index}`, () => segments.set(segment.key, readSegment(segment)))
  const compiled: CompiledFlag[] = []
  for (const [index, flag] of (files.flags as readonly AppliedFlag[]).entries())
    collect(`/flags/${index}`, () => compiled.push(...compile(flag, segments)))
  return compiled
}

/** Compiles files for evaluation, as `compileFiles` does. */
export function compileFlags(files: FlagFiles, problems: ProblemDetail[]): FlagSet {
  const flags = createFlagSet()
  for (const { flag } of compileFiles(files, problems)) flags.upsert(flag)
  return flags
}

/** Puts a pointer in front of the paths of problems. */
export const below = (path: string, problems: readonly ProblemDetail[]): ProblemDetail[] =>
  problems.map((problem) => ({ ...problem, path: path + problem.path }))

function readSegment(segment: AppliedSegment): SegmentMembers {
  const content = patchedContent(null, segment.key, segment)
  // The server decides about names.
  validateSegment(content, content)
  return membersOf(content)
}

function compile(fields: AppliedFlag, segments: ReadonlyMap<string, SegmentMembers>): CompiledFlag[] {
  const moment = { now: new Date(0).toISOString(), budget: createCheckBudget(() => 0) }
  const wanted = atOnce(wantedSteps({ before: null, fields, name: undefined, moment }))
  if (wanted?.after.archived_at !== null) return []
  const flag = toWireFlag(wanted.after, segments)
  const kind = numberKind(flag)
  const isNumber = kind === 'fractions' || (kind === 'whole' && isNumberSchema(wanted.after.value_schema))
  return [{ flag, isNumber }]
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
