import { statusOf } from '../http/responses/error-reply.ts'
import type { EvaluationSets } from '../kernel/evaluation-set.ts'
import { matchesEtag } from '../kernel/matches-etag.ts'
import { Refusal } from '../kernel/refusal.ts'
import { systemClock } from '../platform/clock.ts'
import { createEvaluator, type Evaluator } from '../serving/ofrep/evaluator.ts'
import { failureStatus, toFailure } from '../serving/ofrep/failure.ts'
import { parseBody } from '../serving/ofrep/parse-body.ts'
import { readContext } from '../serving/ofrep/read-context.ts'
import { eventStreams } from '../serving/ofrep/responder.ts'
import { formatNotice } from '../serving/stream/change-notices.ts'
import type { KeyAudience } from '../serving/stream/sse-frame.ts'

/** An evaluation of OFREP: of one flag, or of all with `key` null. */
export interface LocalRequest {
  readonly key: string | null
  readonly body: Buffer
  readonly ifNoneMatch: string | undefined
}

export interface LocalReply {
  readonly status: number
  readonly body: Buffer | string
  readonly etag?: string
}

interface LocalOfrepDeps {
  readonly sets: Pick<EvaluationSets, 'get'>
  readonly audience: KeyAudience
  readonly environment_id: string
  /** The keys of the flags whose values have a fraction. */
  readonly numbers: ReadonlySet<string>
}

/** Evaluates for OFREP in one environment, with the results and errors of the server. */
export function createLocalOfrep(deps: LocalOfrepDeps) {
  const evaluator = createEvaluator()
  return {
    async evaluate(request: LocalRequest): Promise<LocalReply> {
      try {
        return await respond(deps, evaluator, request)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        const failure = toFailure(error, error.message, request.key)
        return { status: failureStatus(statusOf(error)), body: JSON.stringify(failure) }
      }
    },
    notice: (revision: number): Buffer => formatNotice(revision, systemClock.now()),
  }
}

async function respond(
  { audience: kind, environment_id, numbers, sets }: LocalOfrepDeps,
  evaluator: Evaluator,
  { body, ifNoneMatch, key }: LocalRequest,
): Promise<LocalReply> {
  const context = readContext(body.length === 0 ? undefined : parseBody(body))
  const set = await sets.get(environment_id)
  if (!set) throw new Error('a local environment is never deleted')
  if (key !== null) return { status: 200, body: evaluator.one(set, { kind, key, context, numbers }).text }
  const etag = evaluator.etagOf(set, kind, context)
  if (matchesEtag(ifNoneMatch, etag)) return { status: 304, body: '', etag }
  const { head } = await evaluator.all(set, { kind, context, numbers })
  return { status: 200, body: Buffer.concat([head, Buffer.from(eventStreams('local'))]), etag }
}
