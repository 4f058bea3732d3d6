import { hash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { SdkKeyActor } from '../../kernel/actor.ts'
import type { EvaluationSet } from '../../kernel/evaluation-set.ts'
import { inTurns, nextTurn } from '../../platform/concurrency/turns.ts'
import { createResultEncoder } from './encode-result.ts'
import type { ReadContext } from './read-context.ts'
import { createRecentEntries } from './recent-entries.ts'
import { failedFlag, unknownFlag } from './refusals.ts'
import { createResolver } from './resolver.ts'

/** The results of all flags for one context. */
export interface BulkResult {
  readonly etag: string
  /** The response without its last field, `eventStreams`. */
  readonly head: Buffer
}

/** The result of one flag: the response, and the value as reports have it. */
interface SingleResult {
  readonly text: string
  readonly value: string
}

/** Evaluates for OFREP. `numbers` are the keys that `NumberFlags` knows. */
export interface Evaluator {
  /** Refuses with `not_found` for an unknown flag, and with `malformed` for one that cannot be evaluated. */
  one(set: EvaluationSet, query: SingleQuery): SingleResult
  /** Returns the ETag of the results, without evaluating. */
  etagOf(set: EvaluationSet, kind: Audience, context: ReadContext): string
  /** Returns results that are known. */
  known(set: EvaluationSet, kind: Audience, context: ReadContext): BulkResult | undefined
  /** Evaluates all flags: in this turn of the event loop when that is quick. */
  all(set: EvaluationSet, query: BulkQuery): BulkResult | Promise<BulkResult>
  /** Returns whether a large evaluation has taken this turn of the event loop. */
  isBusy(): boolean
}

export type Audience = 'server' | 'client'
export const audienceOf = ({ key_kind }: SdkKeyActor): Audience =>
  key_kind === 'client' ? 'client' : 'server'

interface SingleQuery {
  readonly kind: Audience
  readonly key: string
  readonly context: ReadContext
  readonly numbers: ReadonlySet<string>
}
type BulkQuery = Omit<SingleQuery, 'key'>

/** The time of an evaluation in the turn of its request, and the small flags between two looks at it. */
const AT_ONCE_MS = 4
const FLAGS_A_LOOK = 8
const CACHE_BYTES = 32 * 1024 * 1024
const ENTRY_BYTES = 300
const HASH_BYTES = 16

interface CachedBulk extends BulkResult {
  readonly set: EvaluationSet
  readonly revision: number
}

export function createEvaluator(): Evaluator {
  const encoder = createResultEncoder()
  const cache = createRecentEntries<CachedBulk>(CACHE_BYTES)
  const hashes = new WeakMap<ReadContext, Record<Audience, string>>()
  const { isBusy, resolve } = createResolver()

  function hashesOf(context: ReadContext): Record<Audience, string> {
    const known = hashes.get(context)
    if (known) return known
    const { canonical } = context
    const own = { server: hashText(canonical), client: hashText(`client ${canonical}`) }
    hashes.set(context, own)
    return own
  }

  const etagOf = (set: EvaluationSet, kind: Audience, context: ReadContext): string =>
    `"${set.revision}-${hashesOf(context)[kind]}"`

  const nameOf = ({ environment_id }: EvaluationSet, kind: Audience, context: ReadContext): string =>
    `${environment_id} ${kind} ${hashesOf(context)[kind]}`

  function* evaluateAll(
    set: EvaluationSet,
    { context, kind, numbers }: BulkQuery,
  ): Generator<boolean, BulkResult> {
    const { revision } = set
    const etag = etagOf(set, kind, context)
    const items: string[] = []
    for (const key of set.keys(kind)) {
      const flag = set.flag(key, kind)
      if (!flag) continue
      const { evaluation, isLarge } = resolve(set, key, context)
      items.push(encoder.encode(flag, evaluation, numbers.has(key)).text)
      yield isLarge
    }
    const metadata = JSON.stringify({ flagSetId: set.environment_id, version: revision })
    const result = { etag, head: Buffer.from(`{"flags":[${items.join(',')}],"metadata":${metadata},`) }
    // After a change between two steps some results are newer than the revision: they are not kept.
    if (set.revision === revision)
      cache.set(nameOf(set, kind, context), { ...result, set, revision }, result.head.length + ENTRY_BYTES)
    return result
  }

  return {
    etagOf,
    one(set, { context, key, kind, numbers }) {
      const flag = set.flag(key, kind)
      if (!flag) throw unknownFlag(key)
      const { evaluation } = resolve(set, key, context)
      const { isSuccess, text } = encoder.encode(flag, evaluation, numbers.has(key))
      if (!isSuccess) throw failedFlag(key, evaluation)
      const { value } = evaluation
      return { text, value: typeof value === 'string' ? value : JSON.stringify(value) }
    },
    known(set, kind, context) {
      const found = cache.get(nameOf(set, kind, context))
      return found && found.set === set && found.revision === set.revision ? found : undefined
    },
    all(set, query) {
      const steps = evaluateAll(set, query)
      if (isBusy()) return nextTurn().then(() => inTurns(steps))
      const startedMs = performance.now()
      for (let count = 1; ; count += 1) {
        const step = steps.next()
        if (step.done) return step.value
        const isDue = step.value || count % FLAGS_A_LOOK === 0
        if (isDue && performance.now() - startedMs > AT_ONCE_MS) return nextTurn().then(() => inTurns(steps))
      }
    },
    isBusy,
  }
}

const hashText = (text: string): string =>
  hash('sha256', text, 'buffer').subarray(0, HASH_BYTES).toString('base64url')
