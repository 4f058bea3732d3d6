import { type Actor, actorIdentity } from '../../kernel/actor.ts'
import { unavailable } from '../../kernel/refusal.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'

/** Limits the open streams of an SDK key and of a user on this instance. */
export interface StreamLimits {
  /** Counts a stream. Returns a function that removes it. Throws when the limit is reached. */
  enter(actor: Actor): () => void
}

/** The streams of a user's sessions and personal access tokens together: some tabs in some browsers. */
const MAX_PER_USER = 200
const RETRY_AFTER_SECONDS = 30

export function createStreamLimits(
  { metrics }: { readonly metrics: Metrics },
  { maxPerKey }: { readonly maxPerKey: number },
): StreamLimits {
  const counts = new Map<string, number>()
  const onRefused = metrics.counter({
    name: 'streams_refused_total',
    help: 'Streams that were refused because of the limit of their SDK key or user.',
    labels: ['reason'],
    from: [{ reason: 'key' }, { reason: 'user' }],
  })

  function leave(identity: string): void {
    const count = (counts.get(identity) ?? 1) - 1
    if (count > 0) counts.set(identity, count)
    else counts.delete(identity)
  }

  return {
    enter(actor) {
      const identity = actorIdentity(actor)
      const count = counts.get(identity) ?? 0
      const isKey = actor.kind === 'sdk_key'
      const max = isKey ? maxPerKey : MAX_PER_USER
      if (count >= max) {
        onRefused({ reason: isKey ? 'key' : 'user' }, 1)
        throw unavailable(tooManyStreams(isKey, max), RETRY_AFTER_SECONDS)
      }
      counts.set(identity, count + 1)
      let hasLeft = false
      return () => {
        if (!hasLeft) leave(identity)
        hasLeft = true
      }
    },
  }
}

const tooManyStreams = (isKey: boolean, max: number): string =>
  isKey
    ? `This SDK key has ${max} streams open, which is the limit (MAX_STREAMS_PER_KEY). Close some, or use another key.`
    : `You have ${max} streams open, which is the limit. Close some.`
