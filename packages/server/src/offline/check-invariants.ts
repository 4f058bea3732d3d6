import { runSteps } from '@burgee/analysis'
import { type InvariantCheck, InvariantInput } from '@burgee/contract'
import { decideInvariant } from '../governance/invariants/decide-invariant.ts'
import { findProblems } from '../governance/invariants/find-problems.ts'
import { covers, newInvariant } from '../governance/invariants/invariant.ts'
import type { ProblemDetail } from '../kernel/refusal.ts'
import { below, compileFlags, type FlagFiles, findSchemaProblems } from './compile-files.ts'

/** The flags, segments and invariants of files for one environment. */
interface OfflineFiles extends FlagFiles {
  readonly invariants: readonly unknown[]
  /** The slugs of the environments that the files name, with that of these flags. */
  readonly slugs: readonly string[]
  /** The slug of the environment; undefined where the files name none. */
  readonly environment: string | undefined
}

/** The decisions on the invariants that cover the environment, or what is wrong in the files. */
type OfflineResult =
  | { readonly checks: readonly InvariantCheck[] }
  | { readonly problems: readonly ProblemDetail[] }

/** The time of one exploration, in milliseconds. */
const EXPLORATION_MS = 5_000

/**
 * Decides the invariants of files by the code of the server, without one: flags and segments are those that
 * an apply creates in an empty environment. Problems have a JSON pointer into the lists.
 */
export async function checkOffline(files: OfflineFiles): Promise<OfflineResult> {
  const { environment, invariants: given, slugs } = files
  const problems = [...(await findSchemaProblems(files)), ...(await findInvariantProblems(given))]
  if (problems.length > 0) return { problems }
  const flags = compileFlags(files, problems)
  // Their schema was checked above.
  const inputs = given as readonly InvariantInput[]
  const invariants = inputs.map((input) => newInvariant(input, UNKNOWN))
  for (const [index, invariant] of invariants.entries())
    problems.push(...below(`/invariants/${index}`, findProblems(invariant, slugs, inputs[index] ?? {})))
  if (problems.length > 0) return { problems }
  const covering = invariants.filter((one) =>
    environment === undefined ? one.environments === null : covers(one, environment),
  )
  return {
    checks: covering.map((one) => {
      const decided = runSteps(decideInvariant(flags, one, { time: EXPLORATION_MS }))
      if (decided.verdict === 'holds') return { key: one.key, verdict: decided.verdict }
      const example = decided.verdict === 'violated' ? decided.counterExample : undefined
      const { verdict, why } = decided
      return { key: one.key, verdict, why, ...(example && { counter_example: example }) }
    }),
  }
}

const UNKNOWN = { created_at: '', created_by: '' }

async function findInvariantProblems(invariants: readonly unknown[]): Promise<ProblemDetail[]> {
  const { Errors } = await import('typebox/value')
  return invariants.flatMap((invariant, index) =>
    Errors(InvariantInput, invariant).map(({ instancePath, message }) => ({
      path: `/invariants/${index}${instancePath}`,
      message,
    })),
  )
}
