import type { SdkKeyActor } from '../../kernel/actor.ts'
import type { EvaluationSet, EvaluationSets } from '../../kernel/evaluation-set.ts'
import { matchesEtag } from '../../kernel/matches-etag.ts'
import { unauthenticated } from '../../kernel/refusal.ts'
import { nextTurn } from '../../platform/concurrency/turns.ts'
import type { UnknownFlagCounter } from '../../reporting/unknown-flags/index.ts'
import { audienceOf, type BulkResult, type Evaluator } from './evaluator.ts'
import type { NumberFlags } from './number-flags.ts'
import type { ReadContext } from './read-context.ts'
import type { ImpressionRecorder } from './record-impressions.ts'
import type { Tickets } from './tickets.ts'

/** A response to an evaluation. Refusals are thrown. */
export interface OfrepReply {
  readonly status: 200 | 304
  readonly bytes: Buffer | string
  readonly etag?: string
}

/** Evaluates requests of OFREP. */
export interface Responder {
  one(actor: SdkKeyActor, key: string, context: ReadContext): OfrepReply | Promise<OfrepReply>
  all(actor: SdkKeyActor, query: BulkRequest): OfrepReply | Promise<OfrepReply>
}

interface BulkRequest {
  readonly context: ReadContext
  readonly ifNoneMatch: string | undefined
  /** The revision that an event announced to the caller; null without one. */
  readonly awaited: number | null
}

interface ResponderDeps {
  readonly sets: EvaluationSets
  readonly numbers: NumberFlags
  readonly evaluator: Evaluator
  readonly impressions: ImpressionRecorder
  readonly tickets: Tickets
  readonly unknownFlags: Pick<UnknownFlagCounter, 'count'>
}

export function createResponder(deps: ResponderDeps): Responder {
  const { evaluator, impressions, sets } = deps

  function one(
    set: EvaluationSet,
    actor: SdkKeyActor,
    key: string,
    context: ReadContext,
    numbers: Keys,
  ): OfrepReply {
    const kind = audienceOf(actor)
    if (!set.flag(key, kind)) deps.unknownFlags.count(actor, key)
    const { text, value } = evaluator.one(set, { kind, key, context, numbers })
    impressions.record(actor, { flag_key: key, user_id: context.userKey, value })
    return { status: 200, bytes: text }
  }

  function reply(actor: SdkKeyActor, { etag, head }: BulkResult): OfrepReply {
    const ticket = deps.tickets.issue(actor)
    return { status: 200, etag, bytes: Buffer.concat([head, Buffer.from(eventStreams(ticket))]) }
  }

  function respond(
    set: EvaluationSet,
    actor: SdkKeyActor,
    { context, ifNoneMatch }: BulkRequest,
  ): OfrepReply | Promise<OfrepReply> {
    const kind = audienceOf(actor)
    const etag = evaluator.etagOf(set, kind, context)
    if (matchesEtag(ifNoneMatch, etag)) return { status: 304, etag, bytes: '' }
    const known = evaluator.known(set, kind, context)
    if (known) return reply(actor, known)
    const numbers = deps.numbers.of(set)
    const result =
      numbers instanceof Promise
        ? numbers.then((read) => evaluator.all(set, { kind, context, numbers: read }))
        : evaluator.all(set, { kind, context, numbers })
    return result instanceof Promise ? result.then((late) => reply(actor, late)) : reply(actor, result)
  }

  async function allLater(actor: SdkKeyActor, request: BulkRequest): Promise<OfrepReply> {
    const first = await requireSet(actor)
    if (request.awaited !== null) await sets.whenReached(first, request.awaited)
    return respond(await requireSet(actor), actor, request)
  }

  async function requireSet({ environment_id }: SdkKeyActor): Promise<EvaluationSet> {
    const set = await sets.get(environment_id)
    if (!set) throw unauthenticated('The environment of this SDK key was deleted.')
    return set
  }

  async function oneLater(actor: SdkKeyActor, key: string, context: ReadContext): Promise<OfrepReply> {
    if (evaluator.isBusy()) await nextTurn()
    const set = await requireSet(actor)
    return one(set, actor, key, context, await deps.numbers.of(set))
  }

  return {
    one(actor, key, context) {
      if (evaluator.isBusy()) return oneLater(actor, key, context)
      const set = sets.peek(actor.environment_id)
      const numbers = set && (needsNumbers(set, key) ? deps.numbers.of(set) : NO_KEYS)
      if (!set || !numbers || numbers instanceof Promise) return oneLater(actor, key, context)
      return one(set, actor, key, context, numbers)
    },
    all(actor, request) {
      const set = sets.peek(actor.environment_id)
      const isReached = set && (request.awaited === null || set.revision >= request.awaited)
      return isReached ? respond(set, actor, request) : allLater(actor, request)
    },
  }
}

type Keys = ReadonlySet<string>
const NO_KEYS: Keys = new Set()

const needsNumbers = (set: EvaluationSet, key: string): boolean =>
  set.flag(key, 'server')?.flag_type === 'json'

/** The seconds without activity after which a client may close its event stream. */
const INACTIVITY_SECONDS = 120

/** Returns the last field of a bulk response, with the address of its event stream. */
export function eventStreams(ticket: string): string {
  const requestUri = `/ofrep/v1/events?ticket=${ticket}`
  const stream = { type: 'sse', endpoint: { requestUri }, inactivityDelaySec: INACTIVITY_SECONDS }
  return `"eventStreams":${JSON.stringify([stream])}}`
}

const AWAITED = /^(?:W\/)?"?(\d{1,15})(?:-[\w-]*)?"?$/

/** Returns the revision in `flagConfigEtag`; null when it has none. */
export function readAwaited(flagConfigEtag: string | undefined): number | null {
  const found = flagConfigEtag === undefined ? null : AWAITED.exec(flagConfigEtag)
  return found ? Number(found[1]) : null
}
