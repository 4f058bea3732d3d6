import { createFlagSet, type FlagSet } from '@burgee/evaluation'
import type { Kysely } from 'kysely'
import { type EntryAuthor, findEntryAuthors, type PastState, readPastTexts } from '../../changes/index.ts'
import type { EvaluationSet } from '../../kernel/evaluation-set.ts'
import type { WireFlag } from '../../kernel/wire-flag.ts'
import { inTurns } from '../../platform/concurrency/turns.ts'
import type { Database } from '../../platform/db/tables.ts'
import { type AskedPast, findAskedPast, noticeOf, requireKnown, requireWhole } from './asked-past.ts'
import type { MomentFlags, PastChange } from './moment-flags.ts'
import { createPastFlags, type PastFlags } from './past-flags.ts'

/**
 * Loads all flags of an environment at a past moment. Flags that are as they were then are those of the
 * present set, already compiled: only what changed since is read and compiled. Refuses with `invalid` for a
 * moment that is not known exactly.
 */
export async function loadPastEnvironment(
  db: Kysely<Database>,
  present: EvaluationSet,
  asked: AskedPast,
): Promise<MomentFlags> {
  const { environment_id } = present
  const { changed_at, revision } = await findAskedPast(db, environment_id, asked)
  const captured = capture(present)
  const states = await readPastTexts(db, environment_id, { revision, known: captured.revision })
  await requireKnown(db, environment_id, asked)
  requireWhole(asked, states)
  const ids = states.flatMap(({ audit_id, next_audit_id }) => [audit_id, next_audit_id])
  const [authors, flags] = await Promise.all([findEntryAuthors(db, ids), inTurns(compose(states, captured))])
  const byKey = new Map(states.map((state) => [state.flag_key, state]))
  const textBytes = states.reduce((bytes, { flag }) => bytes + (flag?.length ?? 0), 0)
  // Only the flags keep the texts: results without a trace need them no more.
  for (const state of states) Object.assign(state, { flag: null, origins: null })
  const past = {
    notice: noticeOf(asked, changed_at),
    textBytes,
    ofFlag(key: string) {
      const state = byKey.get(key)
      if (!state) return {}
      const { audit_id, created_at, next_at, next_audit_id, next_revision, revision } = state
      return {
        changed: toChange({ revision, created_at, audit_id }, authors),
        ...(next_revision !== null && {
          next_change: toChange(
            { revision: next_revision, created_at: next_at, audit_id: next_audit_id },
            authors,
          ),
        }),
      }
    },
  }
  const sorted = [...flags.active].sort((one, other) => (one < other ? -1 : 1))
  return { environment_id, revision, flags: flags.set, keys: () => sorted, past }
}

/** The flags of the present at one revision. The set itself changes with the environment. */
interface Captured {
  readonly present: EvaluationSet
  readonly revision: number
  readonly flags: ReadonlyMap<string, WireFlag>
}

function capture(present: EvaluationSet): Captured {
  const flags = new Map<string, WireFlag>()
  for (const key of present.keys('server')) {
    const flag = present.flag(key, 'server')
    if (flag) flags.set(key, flag)
  }
  return { present, revision: present.revision, flags }
}

/** The flags of then, and the keys of those that were not deleted or archived. */
interface Composed {
  readonly set: Pick<FlagSet, 'get' | 'has' | 'resolve'>
  readonly active: readonly string[]
}

/** Composes the flags of then from those that were read and those of the present. */
function* compose(states: readonly PastState<string>[], captured: Captured): Generator<void, Composed> {
  const flags = createPastFlags()
  // Flags that did not exist then differ from the present as well.
  const differing = new Set(captured.flags.keys())
  for (const { flag, flag_key, is_read, kind, origins } of states) {
    const own = captured.flags.get(flag_key)
    if (kind === 'upsert' && is_read && flag !== null) flags.addText(flag_key, flag, origins)
    else if (kind === 'upsert' && !is_read && own) flags.add(own)
    if (is_read || !own) differing.add(flag_key)
    else differing.delete(flag_key)
    yield
  }
  yield* addDependants(flags, differing)
  return { set: toSet(flags, differing, captured), active: [...flags.keys()] }
}

/** Adds the flags that require one of the others, directly or through others. */
function* addDependants(flags: PastFlags, differing: Set<string>): Generator<void, void> {
  const requiredBy = new Map<string, string[]>()
  for (const key of flags.keys()) {
    for (const { flag_key } of flags.prerequisitesOf(key))
      requiredBy.set(flag_key, [...(requiredBy.get(flag_key) ?? []), key])
    yield
  }
  // A set is iterated together with what is added to it meanwhile.
  for (const key of differing) {
    for (const dependant of requiredBy.get(key) ?? []) differing.add(dependant)
    yield
  }
}

/** Evaluates by the present set what is the same there, and compiles other flags when they are evaluated. */
function toSet(
  flags: PastFlags,
  differing: ReadonlySet<string>,
  { present, revision }: Captured,
): Composed['set'] {
  const own = createFlagSet()
  const compiled = new Set<string>()

  function compile(key: string): void {
    const missing = [key]
    for (let next = missing.pop(); next !== undefined; next = missing.pop()) {
      if (compiled.has(next)) continue
      compiled.add(next)
      const flag = flags.get(next)
      if (!flag) continue
      own.upsert(flag)
      missing.push(...flags.prerequisitesOf(next).map(({ flag_key }) => flag_key))
    }
  }

  return {
    get: (key) => flags.get(key),
    has: (key) => flags.has(key),
    resolve(key, userKey, attributes) {
      // A write may have changed the present set since.
      if (!differing.has(key) && present.revision === revision)
        return present.flags.resolve(key, userKey, attributes)
      // Each flag is evaluated once: what is not kept costs the garbage collector nothing.
      const flag = flags.prerequisitesOf(key).length === 0 ? flags.get(key) : undefined
      if (flag) return createFlagSet([flag]).resolve(key, userKey, attributes)
      compile(key)
      return own.resolve(key, userKey, attributes)
    },
  }
}

interface Change {
  readonly revision: number
  readonly created_at: string
  readonly audit_id: number | null
}

function toChange(
  { audit_id, created_at, revision }: Change,
  authors: ReadonlyMap<number, EntryAuthor>,
): PastChange {
  const author = audit_id === null ? undefined : authors.get(audit_id)
  const { action = null, actor_email = null } = author ?? {}
  // Not with a spread at first: V8 gives each literal of that kind a hidden class of its own.
  return { revision, at: created_at, audit_id, actor_email, action }
}
