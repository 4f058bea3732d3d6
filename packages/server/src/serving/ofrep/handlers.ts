import type { ofrepEndpoints } from '@burgee/contract'
import type { SdkKeyActor } from '../../kernel/actor.ts'
import type { ResponseBudget } from '../../platform/concurrency/response-budget.ts'
import {
  type EncodedReply,
  type EndpointHandlers,
  type EndpointRequest,
  HIJACKED,
} from '../../platform/replies/endpoint-handler.ts'
import { readContext } from './read-context.ts'
import { type OfrepReply, type Responder, readAwaited } from './responder.ts'

interface OfrepDeps {
  readonly responder: Responder
  readonly budget: ResponseBudget
  readonly openEvents: (
    actor: SdkKeyActor,
    lastEventId: string | undefined,
    raw: EndpointRequest['raw'],
  ) => Promise<void>
}

/** The size from which a response counts against the memory of large ones. */
const LARGE_BYTES = 64 * 1024

export function ofrepHandlers({
  budget,
  openEvents,
  responder,
}: OfrepDeps): EndpointHandlers<typeof ofrepEndpoints> {
  async function send({ bytes, etag, status }: OfrepReply): Promise<EncodedReply> {
    const lease = bytes.length >= LARGE_BYTES ? await budget.take(bytes.length) : undefined
    return { status, bytes, headers: ofrepHeaders(status, etag), ...(lease && { lease }) }
  }
  return {
    evaluateFlag: async ({ actor, body, params }) =>
      send(await responder.one(actor, params.key, readContext(body))),
    async evaluateFlags({ actor, body, headers, query }) {
      const reply = await responder.all(actor, {
        context: readContext(body),
        ifNoneMatch: headers['if-none-match'],
        awaited: readAwaited(query.flagConfigEtag),
      })
      const { etag, status } = reply
      return status === 304 ? { status, body: null, headers: ofrepHeaders(status, etag) } : send(reply)
    },
    async openEvents({ actor, headers, raw }) {
      await openEvents(actor, headers['last-event-id'], raw)
      return HIJACKED
    },
  }
}

/** The headers of an evaluation. */
export const ofrepHeaders = (status: number, etag: string | undefined): Record<string, string> => ({
  'cache-control': 'private, no-cache',
  vary: 'authorization, x-api-key',
  ...(etag !== undefined && { etag }),
  ...(status === 200 && { 'content-type': 'application/json; charset=utf-8' }),
})
