import type { Violation, Warning } from '@burgee/contract'
import type { GuardedWrite, WriteGuard } from '../../changes/index.ts'
import { forbidden, invalidWith, type Refusal } from '../../kernel/refusal.ts'
import { inTurns } from '../../platform/turns.ts'
import { decideInvariant } from './decide-invariant.ts'
import { covers, flagsOf } from './invariant.ts'
import { mayOverride } from './may-override.ts'
import { listInvariants } from './queries.ts'
import { readClosure } from './read-closure.ts'
import { toViolation } from './violation.ts'

/** The time of all walks of one write: the environment is locked meanwhile. */
const WALKS_MS = 1_000
/** The least time, while other writes wait. Usual invariants need less than half of it. */
const BUSY_WALKS_MS = 50

/** Returns the time of all walks: the more writes wait, the less, so that a flood does not delay others. */
const walksMs = (waiting: number): number => Math.max(BUSY_WALKS_MS, WALKS_MS / (1 + waiting))

/**
 * Decides every invariant whose flags, or what these require, a write has changed, as the write leaves them
 * (docs/trust.md#invariants). One that is to block and does not hold refuses the write with `invalid`, unless
 * an admin overrides it.
 */
export const guardWrite: WriteGuard = async (write, changes, waiting) => {
  const { environment, tx } = write
  const all = await listInvariants(tx, environment.project_id)
  const invariants = all.filter((invariant) => covers(invariant, environment.slug))
  if (invariants.length === 0) return { warnings: [], override: null }
  const closure = await readClosure(tx, environment.id, invariants.flatMap(flagsOf))
  const changed = changes.flatMap(({ flag_key, kind }) => (kind === 'none' ? [] : [flag_key]))
  const end = performance.now() + walksMs(waiting)
  const [blocking, warnings]: [Violation[], Warning[]] = [[], []]
  for (const invariant of invariants) {
    const behind = closure.keysBehind(flagsOf(invariant))
    if (!changed.some((key) => behind.has(key))) continue
    const limits = { time: Math.max(0, end - performance.now()) }
    const decided = await inTurns(decideInvariant(closure.flags, invariant, limits))
    const violation = toViolation(invariant, decided)
    if (violation?.enforcement === 'block') blocking.push(violation)
    else if (violation) warnings.push(toWarning(violation))
  }
  const override = blocking.length === 0 ? null : await overrideOf(write, blocking)
  return { warnings, override }
}

async function overrideOf(
  write: Parameters<WriteGuard>[0],
  violations: readonly Violation[],
): Promise<GuardedWrite['override']> {
  const { author } = write
  const reason = author.kind === 'past' ? undefined : author.override
  if (reason === undefined) throw violated(violations)
  if (!(await mayOverride(write)))
    throw forbidden(
      'You may not override invariants here: an admin of the project may, and where every change needs approval an admin of the workspace.',
    )
  return { invariants: violations.map(({ key }) => key), reason }
}

function violated(violations: readonly Violation[]): Refusal {
  const problems = violations.map(({ key, verdict, why }) => ({
    path: '',
    message:
      verdict === 'violated'
        ? `The change violates the invariant "${key}": ${why}`
        : `The invariant "${key}" cannot be decided for the change: ${why}`,
  }))
  return invalidWith(problems, { violations })
}

const toWarning = ({ key, why }: Violation): Warning => ({
  code: 'invariant_violated',
  path: '',
  message: `The invariant "${key}" is violated: ${why}.`,
})
