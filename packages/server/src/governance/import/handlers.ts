import type { importEndpoints } from '@burgee/contract'
import { actorIdentity } from '../../kernel/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { JSON_HEADERS } from '../../platform/replies/stream-json.ts'
import type { Translator } from './create-translator.ts'

interface ImportDeps {
  readonly clock: Pick<Clock, 'now'>
  readonly translator: Translator
}

export function importHandlers({ clock, translator }: ImportDeps): EndpointHandlers<typeof importEndpoints> {
  return {
    async importFiles({ actor, body }) {
      const bytes = await translator.translate(actorIdentity(actor), {
        ...body,
        nowMs: clock.now().getTime(),
      })
      return { status: 200, bytes, headers: JSON_HEADERS }
    },
  }
}
