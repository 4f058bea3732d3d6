import type { Violation, Warning } from '@burgee/contract'
import { type FlagChange, type GuardedWrite, readPastFlags, type WriteGuard } from '../../changes/index.ts'
import { forbidden, invalidWith, type Refusal } from '../../kernel/refusal.ts'
import { evaluatedText } from '../../kernel/wire-flag.ts'
import { inTurns } from '../../platform/concurrency/turns.ts'
import { decideInvariant } from './decide-invariant.ts'
import { covers, flagsOf } from './invariant.ts'
import { mayOverride } from './may-override.ts'
import { listInvariants } from './queries.ts'
import { readClosure } from './read-closure.ts'
import { toViolation } from './violation.ts'

/** The time of all explorations of one write: the environment is locked meanwhile. */
const EXPLORATIONS_MS = 1_000
/** The least time, while other writes wait. Usual invariants need less than half of it. */
const BUSY_EXPLORATIONS_MS = 50

/** Returns the time of all explorations: less where more writes wait, so that a flood delays no others. */
const explorationsMs = (waiting: number): number =>
  Math.max(BUSY_EXPLORATIONS_MS, EXPLORATIONS_MS / (1 + waiting))

/**
 * Decides every invariant whose flags, or what these require, evaluate in another way after a write
 * (docs/trust.md#invariants). One that is to block and does not hold refuses the write with `invalid`, unless
 * an admin overrides it.
 */
export const guardWrite: WriteGuard = async (write, changes, waiting) => {
  const { environment, tx } = write
  const all = await listInvariants(tx, environment.project_id)
  const invariants = all.filter((invariant) => covers(invariant, environment.slug))
  if (invariants.length === 0) return { warnings: [], override: null }
  const closure = await readClosure(tx, environment.id, invariants.flatMap(flagsOf))
  const touching = changes.filter(({ flag_key }) => closure.covers(flag_key))
  const changed = await listEvaluatedChanges(write, touching)
  if (changed.length === 0) return { warnings: [], override: null }
  const moved = await closure.leadingTo(changed)
  const end = performance.now() + explorationsMs(waiting)
  const [blocking, warnings]: [Violation[], Warning[]] = [[], []]
  for (const invariant of invariants) {
    if (!flagsOf(invariant).some((key) => moved.has(key))) continue
    const limits = { time: Math.max(0, end - performance.now()) }
    const decided = await inTurns(decideInvariant(closure.flags, invariant, limits))
    const violation = toViolation(invariant, decided)
    if (violation?.enforcement === 'block') blocking.push(violation)
    else if (violation) warnings.push(toWarning(violation))
  }
  const override = blocking.length === 0 ? null : await overrideOf(write, blocking)
  return { warnings, override }
}

/** Lists the flags that a write evaluates in another way: no description changes what users get. */
async function listEvaluatedChanges(
  { environment, nextRevision, tx }: Parameters<WriteGuard>[0],
  changes: readonly FlagChange[],
): Promise<readonly string[]> {
  const keys = changes.flatMap(({ flag_key, kind }) => (kind === 'none' ? [] : [flag_key]))
  if (keys.length === 0) return []
  const past = await readPastFlags(tx, environment.id, { keys, revision: nextRevision - 1 })
  const before = new Map(
    past.flatMap(({ flag, flag_key }) => (flag ? [[flag_key, evaluatedText(flag)]] : [])),
  )
  const after = new Map<string, string>()
  // The last change of a flag counts.
  for (const change of changes) {
    if (change.kind === 'upsert') after.set(change.flag_key, evaluatedText(change.flag))
    else if (change.kind === 'delete') after.delete(change.flag_key)
  }
  return keys.filter((key) => !after.has(key) || after.get(key) !== before.get(key))
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
